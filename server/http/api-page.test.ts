import { expect, test } from 'vitest';
import { renderApiPage } from './api-page.ts';

const schema = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', maxLength: 20, description: 'a `<b>` & "c"' },
    count: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    kind: { enum: ['a', 'b'] },
    limit: { anyOf: [{ type: 'number', minimum: 0 }, { type: 'null' }] },
    parts: { type: 'array', items: { type: 'object', properties: { id: { type: 'string', format: 'uuid' } } } },
  },
};
const document = {
  info: { title: 'A <i>portal</i>', version: '1.2.3', description: 'First.\nSecond.' },
  paths: {
    '/api/things/{id}': {
      put: {
        summary: 'Change <it>',
        tags: ['Things'],
        parameters: [{ name: 'id', in: 'path', required: true, description: 'which', schema: { type: 'string' } }],
        requestBody: { content: { 'application/json': { schema } } },
        responses: {
          200: { description: 'OK', content: { 'application/json': { schema } } },
          204: { description: 'No Content' },
          400: { description: 'Wrong.', content: { 'application/json': { schema } } },
        },
      },
    },
  },
};

test('shows each field with its type, limits and description, and what is required of a body', () => {
  const page = renderApiPage(document, '/api/openapi.json');
  const text = page.replace(/<[^>]+>/g, '');
  expect(text).toContain('id string (in the path, required): which');
  expect(text).toContain('name string (required, at most 20 characters): a &lt;b&gt; &amp; &quot;c&quot;');
  expect(text).toContain('count integer (at least 1)');
  expect(text).toContain('kind &quot;a&quot; or &quot;b&quot;');
  expect(text).toContain('limit number or null (at least 0)');
  expect(text).toContain('parts list of objectsid string (uuid)');
});

test('of an answer it says what may be missing, and of an error only why', () => {
  const [, answers = ''] = renderApiPage(document, '/x').split('Answers');
  expect(answers.replace(/<[^>]+>/g, ' ')).toMatch(
    /200 .*name +string +\(at most 20 characters\).*count +integer +\(optional,.*204 +No Content +400 +Wrong\. +/,
  );
});

test('escapes what comes from outside', () => {
  const page = renderApiPage(document, '/x');
  expect(page).toContain('<h1>A &lt;i&gt;portal&lt;/i&gt;: API</h1>');
  expect(page).toContain('Change &lt;it&gt;');
  expect(page).not.toMatch(/<i>|<it>|<b>/);
});
