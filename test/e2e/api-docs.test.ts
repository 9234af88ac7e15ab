import { expect, it } from 'vitest';
import { stageOfFile } from '../support/stage.ts';

const stage = stageOfFile();

it('the API page shows each operation under the content security policy and asks no other machine for anything', async () => {
  await using opened = await stage.open();
  const { page, problems } = opened;
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(stage.portal.url) && !request.url().startsWith('data:')) foreign.push(request.url());
  });
  await page.goto('/api/docs');
  await page.getByRole('heading', { name: /Power monitoring portal/ }).waitFor();
  // The page shows an operation once one has scrolled near it.
  const operation = page.getByText(/^Store measurements$/);
  const scrolled = async () => {
    await page.mouse.wheel(0, 500);
    return operation.count();
  };
  await expect.poll(scrolled, { interval: 50 }).toBe(1);
  await operation.click();
  await page.getByText('At most 32 MiB, decoded').first().waitFor();
  expect([foreign, problems]).toEqual([[], []]);
});
