/**
 * `main.mjs health [address]`: whether the portal, or what listens at the address, is ready; for a container without curl.
 * It loads nothing else, because it is asked every few seconds.
 * @param {string} [address]
 * @returns {Promise<number>} the exit code
 */
export async function checkHealth(address = 'http://127.0.0.1:8080/health/ready') {
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(5_000) });
    const waitingFor = answer.headers.get('x-waiting-for');
    const words = [answer.status, await answer.text(), ...(waitingFor === null ? [] : ['waiting for', waitingFor])];
    process.stdout.write(`${words.join(' ')}\n`);
    return answer.ok ? 0 : 1;
  } catch (error) {
    process.stdout.write(`${String(error instanceof Error ? (error.cause ?? error) : error)}\n`);
    return 1;
  }
}
