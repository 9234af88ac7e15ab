import { describe, expect, test } from 'vitest';
import { createLog } from './logging.ts';

function logged(...entry: [object, string]): string {
  let text = '';
  createLog({ write: (line) => (text += line) }).info(...entry);
  return text;
}

describe('log lines', () => {
  test('are JSON with a level by name and an instant in UTC', () => {
    expect(JSON.parse(logged({ a: 1 }, 'hello'))).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      service: 'power-monitoring-portal',
      a: 1,
      msg: 'hello',
    });
  });

  test.each([
    { headers: { authorization: 'Bearer s3cret', cookie: 'a=s3cret', 'x-customer-token': 's3cret' } },
    { req: { headers: { authorization: 's3cret', cookie: 's3cret' } } },
    { res: { headers: { 'set-cookie': 's3cret' } } },
    { body: { password: 's3cret', currentPassword: 's3cret', newPassword: 's3cret' } },
    { config: { connectionString: 's3cret', token: 's3cret' } },
    { password: 's3cret', token: 's3cret', key: 's3cret', authorization: 's3cret' },
  ])('hide secrets: %j', (details) => {
    const line = logged(details, 'x');
    expect(line).not.toContain('s3cret');
    expect(line).toContain('[redacted]');
  });

  test("contain an error's type, message, code, stack and causes, but not its input", () => {
    const given = Object.assign(new TypeError('Invalid URL'), {
      code: 'ERR_INVALID_URL',
      input: 'postgres://u:s3cret@h',
    });
    const line = logged({ err: new Error('no start', { cause: given }) }, 'x');
    expect(line).toContain('caused by: TypeError: Invalid URL');
    expect(JSON.parse(logged({ err: given }, 'x'))).toMatchObject({
      err: {
        type: 'TypeError',
        message: 'Invalid URL',
        code: 'ERR_INVALID_URL',
        stack: expect.stringContaining('logging.test.ts'),
      },
    });
    expect(line + logged({ err: given }, 'x')).not.toContain('s3cret');
  });

  test('accept values that are not errors', () => {
    expect(JSON.parse(logged({ err: 's3cret' }, 'x'))).toMatchObject({ err: { type: 'string' } });
  });
});
