import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { decodeIssue } from '../../shared/messages.ts';
import { inEnglish } from '../base/errors.ts';
import { speakPlainly } from './errors.ts';

speakPlainly();

describe('zod issues become messages of ours', () => {
  it.each([
    [z.number().positive(), -3, 'must be more than 0'],
    [z.int().min(1), 0, 'must be at least 1'],
    [z.int().max(9), 10, 'must be at most 9'],
    [z.number().lt(5), 7, 'must be less than 5'],
    [z.int(), 2 ** 60, 'must be at most 9007199254740991'],
    [z.number().multipleOf(0.5), 0.3, 'must be a multiple of 0.5'],
    [z.enum(['auto', 'register', 'power']), 'sun', 'must be one of auto, register, power'],
    [z.literal('x'), 'y', 'must be one of x'],
    [z.string().min(1), '', 'must not be empty'],
    [z.string().min(3), 'a', 'must have at least 3 characters'],
    [z.string().max(1), 'ab', 'must have at most 1 characters'],
    [z.string().length(2), 'a', 'must have exactly 2 characters'],
    [z.array(z.int()).min(1), [], 'must not be empty'],
    [z.array(z.int()).min(2), [1], 'must have at least 2 entries'],
    [z.array(z.int()).max(1), [1, 2], 'must have at most 1 entries'],
    [z.array(z.int()).length(2), [1], 'must have exactly 2 entries'],
    [z.iso.date(), 'x', 'has an invalid format'],
    [z.string().regex(/a/), 'x', 'has an invalid format'],
    [z.strictObject({}), { b: 1 }, 'unknown field "b"'],
    [z.union([z.string(), z.number()]), true, 'is not valid'],
    [z.null(), 1, 'is not valid'],
  ])('%#: %s', (schema, value, sentence) => {
    const issues = schema.safeParse(value).error?.issues.map(({ message }) => inEnglish(decodeIssue(message)));
    expect(issues).toEqual([sentence]);
  });

  it('a schema keeps its own code', () => {
    expect(z.string().min(1, 'mustBeGuid').safeParse('').error?.issues[0]?.message).toBe('mustBeGuid');
  });
});
