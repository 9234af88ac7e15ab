import { describe, expect, test } from 'vitest';
import { parseEnvFile } from './env-file.ts';

describe('.env', () => {
  test.each([
    ['a plain value', 'A=b', 'b'],
    ['blanks around name and value', '  A =  b  ', 'b'],
    ['export before the name', 'export A=b', 'b'],
    ['an empty value', 'A=', ''],
    ['a value with =', 'A=postgres://h/db?sslmode=require', 'postgres://h/db?sslmode=require'],
    ['a color, which is no comment', 'WhiteLabel__PrimaryColor=#0b7285', '#0b7285', 'WhiteLabel__PrimaryColor'],
    ['a # inside a password', 'A=pa#ss', 'pa#ss'],
    ['a comment after a value', 'A=b # why', 'b'],
    ['only a comment after =', 'A= # why', ''],
    ['double quotes keep blanks and #', 'A=" b # c "', ' b # c '],
    ['double quotes know \\n and \\"', 'A="b\\n\\"c\\""', 'b\n"c"'],
    ['single quotes keep all', "A='b\\n # c'", 'b\\n # c'],
    ['a comment after quotes', "A='b' # c", 'b'],
    ['a byte order mark', '\uFEFFA=b', 'b'],
    ['the last of two lines', 'A=b\nA=c', 'c'],
    ['Windows line ends', 'A=b\r\n', 'b'],
  ])('reads %s', (_, text, value, name = 'A') => {
    expect(parseEnvFile(text)).toEqual({ values: { [name]: value }, badLines: [] });
  });

  test('comments and empty lines are nothing', () => {
    expect(parseEnvFile('# A=b\n\n   \n  # c')).toEqual({ values: {}, badLines: [] });
  });

  test('names the lines that are no assignment', () => {
    expect(parseEnvFile('A=b\nnonsense\nC="open\n1X=2')).toEqual({ values: { A: 'b' }, badLines: [2, 3, 4] });
  });
});
