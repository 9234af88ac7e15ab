import { execFile } from 'node:child_process';
import { type Account, identityOf } from './account.ts';

export interface CommandOptions {
  account?: Account | undefined;
  cwd?: string;
  /** Standard input of the program. */
  input?: string;
  signal: AbortSignal;
  timeoutMs: number;
}

/**
 * The environment of every PostgreSQL program on POSIX systems. With ours they would inherit folder, port, language and library
 * path; any locale but C also makes macOS start threads, which PostgreSQL refuses.
 */
const environment = { LC_ALL: 'C', PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin' };
export const environmentOption = process.platform === 'win32' ? {} : { env: environment };

/** Runs a program and returns its output. Throws with the last lines of its error output if it fails. */
export function runCommand(file: string, args: readonly string[], options: CommandOptions): Promise<string> {
  const { account, cwd, input, signal, timeoutMs } = options;
  const settings = { ...identityOf(account), ...environmentOption, ...(cwd === undefined ? {} : { cwd }) };
  return new Promise((resolve, reject) => {
    const child = execFile(
      file,
      args,
      { ...settings, signal, timeout: timeoutMs, windowsHide: true },
      (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else if (signal.aborted) reject(error);
        else reject(new Error(explain(file, error, stderr || stdout), { cause: error }));
      },
    );
    // A program that ends before reading everything has printed the reason.
    child.stdin?.on('error', () => undefined).end(input ?? '');
  });
}

function explain(file: string, error: { code?: unknown; killed?: boolean }, output: string): string {
  const said = lastLines(output, 5);
  if (error.killed) return `${file} did not come to an end and was stopped. ${said}`.trimEnd();
  return `${file} failed (${String(error.code)})${said === '' ? '' : `: ${said}`}`;
}

/** The last non-empty lines, joined. */
export function lastLines(text: string, count: number): string {
  const lines = text.split('\n').map((line) => line.trim());
  return lines
    .filter((line) => line !== '')
    .slice(-count)
    .join(' | ');
}
