import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** The default administrator. */
export const admin = { email: 'admin@example.com', password: 'ChangeMe123!' };

/** Gives the browser of the page a session without the sign-in page. */
export async function signIn(page: Page, account: { email: string; password: string } = admin): Promise<void> {
  expect((await page.request.post('/api/auth/login', { data: account })).status()).toBe(200);
}

/** Creates a resource as the signed-in user. @returns its id */
export async function create(page: Page, url: string, data: object): Promise<string> {
  const answer = await page.request.post(url, { data });
  expect(answer.status(), `${url}: ${await answer.text()}`).toBe(201);
  const created: { id: string } = await answer.json();
  return created.id;
}
