/** A planted mistake: the text `from`, which occurs exactly once in `file`, becomes `to`, and the test must fail. */
export interface Mutant {
  /** Unique; test vectors name the mutants that they kill by it. */
  id: string;
  /** The document and the rule that the mistake breaks. */
  rule: string;
  file: string;
  from: string;
  to: string;
  /** The test file that detects it. */
  test: string;
  /** A part of the full names of the tests that detect it; without it any test of the file counts. */
  name?: string;
}

/** A group of mutants of one source file and one test file. */
export const inFile =
  (file: string, test: string) =>
  (id: string, rule: string, from: string, to: string, name?: string): Mutant => ({
    id,
    rule,
    file,
    from,
    to,
    test,
    ...(name === undefined ? {} : { name }),
  });
