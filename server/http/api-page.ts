import { z } from 'zod';

/** The part of JSON Schema that our zod schemas become. */
const jsonSchema = z.object({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  format: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  description: z.string().optional(),
  default: z.unknown().optional(),
  minimum: z.number().optional(),
  exclusiveMinimum: z.number().optional(),
  maximum: z.number().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  required: z.array(z.string()).optional(),
  get properties() {
    return z.record(z.string(), jsonSchema).optional();
  },
  get items() {
    return jsonSchema.optional();
  },
  get anyOf() {
    return z.array(jsonSchema).optional();
  },
});
type JsonSchema = z.infer<typeof jsonSchema>;

const content = z.record(z.string(), z.object({ schema: jsonSchema }));
const operation = z.object({
  summary: z.string().default(''),
  description: z.string().default(''),
  tags: z.array(z.string()).default([]),
  parameters: z
    .array(
      z.object({
        name: z.string(),
        in: z.string(),
        description: z.string().optional(),
        required: z.boolean().default(false),
        schema: jsonSchema,
      }),
    )
    .default([]),
  requestBody: z.object({ content }).optional(),
  responses: z.record(z.string(), z.object({ description: z.string(), content: content.default({}) })),
});
type Operation = z.infer<typeof operation>;

const apiDocument = z.object({
  info: z.object({ title: z.string(), version: z.string(), description: z.string() }),
  paths: z.record(z.string(), z.record(z.string(), operation)),
});

interface Entry extends Operation {
  method: string;
  path: string;
}

/** The OpenAPI document as a page to read: no script, folds by itself, follows the reader's light or dark. */
export function renderApiPage(document: unknown, documentPath: string): string {
  const { info, paths } = apiDocument.parse(document);
  const entries = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, found]): Entry => ({ ...found, method: method.toUpperCase(), path })),
  );
  const groups = Map.groupBy(entries, ({ tags }) => tags[0] ?? 'Other');
  const links = [...groups.keys()].map((tag) => `<li><a href="#${anchor(tag)}">${escape(tag)}</a></li>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>API · ${escape(info.title)}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<header>
<h1>${escape(info.title)}: API</h1>
<p>Version ${escape(info.version)} · <a href="${documentPath}">OpenAPI 3.1 document</a></p>
${info.description
  .split('\n')
  .map((line) => `<p>${prose(line)}</p>`)
  .join('\n')}
</header>
<nav aria-label="Groups"><ul>${links.join('')}</ul></nav>
<main>
${[...groups].map(([tag, found]) => renderGroup(tag, found)).join('\n')}
</main>
</body>
</html>
`;
}

function renderGroup(tag: string, entries: readonly Entry[]): string {
  return `<section aria-labelledby="${anchor(tag)}">
<h2 id="${anchor(tag)}">${escape(tag)}</h2>
${entries.map(renderEntry).join('\n')}
</section>`;
}

function renderEntry(entry: Entry): string {
  const { method, path, summary, description, parameters, requestBody, responses } = entry;
  return `<details>
<summary><span class="method ${method.toLowerCase()}">${method}</span> <code>${escape(path)}</code> <span class="what">${prose(summary)}</span></summary>
${description === '' ? '' : `<p>${prose(description)}</p>`}
${parameters.length === 0 ? '' : `<h3>Parameters</h3>${renderParameters(parameters)}`}
${requestBody === undefined ? '' : `<h3>Body</h3>${renderContent(requestBody.content, 'in')}`}
<h3>Answers</h3>
<dl>${Object.entries(responses)
    .map(([status, answer]) => {
      // The body of an error is always the same; the head of the page says it once.
      const body = Number(status) >= 400 ? '' : renderContent(answer.content, 'out');
      return `<dt>${status}</dt><dd>${prose(answer.description)}${body}</dd>`;
    })
    .join('')}</dl>
</details>`;
}

function renderParameters(parameters: Operation['parameters']): string {
  const items = parameters.map(({ name, schema, description, required, in: place }) =>
    renderField(
      name,
      { ...schema, description: description ?? schema.description },
      [`in the ${place}`, noteOf(required, 'in')],
      'in',
    ),
  );
  return `<ul>${items.join('')}</ul>`;
}

function renderContent(found: z.infer<typeof content>, direction: Direction): string {
  return Object.entries(found)
    .map(
      ([type, { schema }]) =>
        `<p><code>${escape(type)}</code>: ${typeOf(schema)}</p>${renderFields(schema, direction)}`,
    )
    .join('');
}

/** The fields of an object, or of the objects of a list. */
function renderFields(schema: JsonSchema, direction: Direction): string {
  const inner = schema.items ?? schema.anyOf?.find((option) => option.items ?? option.properties);
  if (schema.properties === undefined) return inner === undefined ? '' : renderFields(inner, direction);
  const items = Object.entries(schema.properties).map(([name, field]) => {
    const isRequired = schema.required?.includes(name) ?? false;
    return renderField(name, field, [noteOf(isRequired, direction)], direction);
  });
  return `<ul>${items.join('')}</ul>`;
}

/** What comes in is optional unless said otherwise; what goes out is there unless said otherwise. */
type Direction = 'in' | 'out';
function noteOf(isRequired: boolean, direction: Direction): string {
  if (direction === 'in') return isRequired ? 'required' : '';
  return isRequired ? '' : 'optional';
}

function renderField(name: string, schema: JsonSchema, remarks: readonly string[], direction: Direction): string {
  const notes = [...remarks, ...limitsOf(schema)].filter((note) => note !== '');
  const limits = notes.length === 0 ? '' : ` <span class="notes">(${escape(notes.join(', '))})</span>`;
  const about = schema.description === undefined ? '' : `: ${prose(schema.description)}`;
  return `<li><code>${escape(name)}</code> ${typeOf(schema)}${limits}${about}${renderFields(schema, direction)}</li>`;
}

function typeOf(schema: JsonSchema): string {
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' or ');
  if (schema.enum !== undefined)
    return schema.enum.map((value) => `<code>${escape(JSON.stringify(value))}</code>`).join(' or ');
  if (schema.const !== undefined) return `<code>${escape(JSON.stringify(schema.const))}</code>`;
  if (schema.items !== undefined)
    return schema.items.type === 'object' ? 'list of objects' : `list of ${typeOf(schema.items)}`;
  const types = [schema.type ?? 'anything'].flat().join(' or ');
  return escape(schema.format === undefined ? types : `${types} (${schema.format})`);
}

function limitsOf(schema: JsonSchema): string[] {
  // zod says of every whole number that it is a safe one.
  const isSafe = (limit: number | undefined) => limit !== undefined && Math.abs(limit) < Number.MAX_SAFE_INTEGER;
  return [
    ...(schema.anyOf ?? []).flatMap(limitsOf),
    isSafe(schema.minimum) ? `at least ${schema.minimum}` : '',
    isSafe(schema.exclusiveMinimum) ? `more than ${schema.exclusiveMinimum}` : '',
    isSafe(schema.maximum) ? `at most ${schema.maximum}` : '',
    isSafe(schema.minLength) ? `at least ${schema.minLength} characters` : '',
    isSafe(schema.maxLength) ? `at most ${schema.maxLength} characters` : '',
    schema.default === undefined ? '' : `default ${JSON.stringify(schema.default)}`,
  ];
}

const anchor = (tag: string) => tag.toLowerCase().replace(/[^a-z0-9]+/g, '-');
const entities = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
]);
const escape = (text: string) => text.replace(/[&<>"]/g, (character) => entities.get(character) ?? character);
/** Text in which backticks mark code. */
const prose = (text: string) => escape(text).replace(/`([^`]+)`/g, '<code>$1</code>');

const style = `
:root { color-scheme: light dark; --line: light-dark(#d0d7de, #3d444d); --quiet: light-dark(#57606a, #9da7b1); --link: light-dark(#0b5c6b, #66d9e8); }
body { margin: 0 auto; max-width: 64rem; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; background: light-dark(#fff, #15181c); color: light-dark(#1f2328, #e6edf3); }
a { color: var(--link); }
code { font: 0.875em ui-monospace, monospace; overflow-wrap: anywhere; }
nav ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; padding: 0; list-style: none; }
details { border: 1px solid var(--line); border-radius: 0.5rem; margin: 0.5rem 0; padding: 0 0.75rem; }
summary { cursor: pointer; margin: 0 -0.75rem; padding: 0.5rem 0.75rem; overflow-wrap: anywhere; }
summary:focus-visible, a:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 0.25rem; }
h3 { font-size: 1rem; margin: 1rem 0 0.25rem; }
ul { padding-left: 1.25rem; }
dt { font-weight: 600; }
dd { margin: 0 0 0.5rem 1.25rem; }
dd p { margin: 0.25rem 0; }
.method { display: inline-block; min-width: 4.25rem; padding: 0 0.375rem; border-radius: 0.25rem; text-align: center; font-weight: 600; font-size: 0.8125rem; color: #fff; }
.get { background: #0b5c8a; } .post { background: #1e6b34; } .put { background: #8a4b08; } .delete { background: #a4262c; }
.what, .notes { color: var(--quiet); }
`;
