import { spawn } from 'node:child_process';

/**
 * Packages that are only measured in comparison, installed into a folder of their own. False if npm cannot install them; its
 * messages are on the error stream.
 */
export async function installPackages(folder: string, packages: readonly string[]): Promise<boolean> {
  const words = [
    'install',
    '--prefix',
    folder,
    '--no-save',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    ...packages,
  ];
  const child = spawn('npm', [...words, '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  return new Promise((resolve) => {
    child.once('error', () => resolve(false));
    child.once('close', (code) => resolve(code === 0));
  });
}
