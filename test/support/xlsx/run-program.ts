import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Runs a program to its end and gives what it printed. When it takes longer it is ended together with all that it started,
 * which is why it gets a process group. Throws with its complaint when it fails, with code ENOENT when it is not there.
 */
export function runProgram(file: string, args: readonly string[], timeoutMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const hasGroup = process.platform !== 'win32';
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: hasGroup, windowsHide: true });
    const printed: Buffer[] = [];
    const complaint: Buffer[] = [];
    child.stdout.on('data', (bytes: Buffer) => printed.push(bytes));
    child.stderr.on('data', (bytes: Buffer) => complaint.push(bytes));
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      end(child, hasGroup);
    }, timeoutMs);
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.once('close', (code) => {
      clearTimeout(timer);
      if (code === 0) return resolve(Buffer.concat(printed).toString());
      const said = Buffer.concat(complaint).toString().trim().slice(-2000);
      reject(new Error(isLate ? `${file} took longer than ${timeoutMs} ms.` : `${file} ended with ${code}: ${said}`));
    });
  });
}

function end(child: ChildProcess, hasGroup: boolean): void {
  if (child.pid === undefined) return;
  try {
    process.kill(hasGroup ? -child.pid : child.pid, 'SIGKILL');
  } catch {
    // It has ended in the meantime.
  }
}

/** The first of some programs that runs with these arguments, and its output; undefined if none does. */
export async function firstThatRuns(
  files: readonly string[],
  args: readonly string[],
): Promise<{ file: string; printed: string } | undefined> {
  for (const file of files) {
    try {
      return { file, printed: (await runProgram(file, args, 30_000)).trim() };
    } catch {
      // The next one may be there.
    }
  }
  return undefined;
}
