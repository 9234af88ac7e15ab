import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { checkAccessibility } from '../support/browser.ts';
import { countClicks } from '../support/clicks.ts';
import { signIn } from '../support/session.ts';
import { stageOfFile } from '../support/stage.ts';

const stage = stageOfFile('Admin');
const base = '/api/admin/customers';

interface Made {
  customer: { id: string; name: string };
  token: string;
}
const createCustomer = async (page: Page, code: string): Promise<Made> => {
  const answer = await page.request.post(base, { data: { code, name: `Works ${code}` } });
  expect(answer.status()).toBe(201);
  return answer.json();
};
const createUser = async (page: Page, name: string, roles: string[]) => {
  const account = { email: `${name}@example.com`, password: 'Fleet-User-1' };
  const answer = await page.request.post('/api/users', { data: { ...account, displayName: name, roles } });
  expect(answer.status()).toBe(201);
  return account;
};
const choose = async (page: Page, customer: string, item: string) => {
  await page.getByRole('button', { name: `Actions for ${customer}` }).click();
  await page.getByRole('menuitem', { name: item }).click();
};

describe('Customers', () => {
  it('the first customer: its token is shown once, with the settings for its stack, until the user closes it', async () => {
    await using opened = await stage.signedIn();
    const { page, problems } = opened;
    await page.goto('/customers');
    await page.getByText('No customers yet').waitFor();
    await checkAccessibility(page);
    await page.getByText('Fleet admin').waitFor();
    await page.getByRole('button', { name: 'New customer' }).click();
    const form = page.getByRole('dialog', { name: 'New customer' });
    await form.getByRole('textbox', { name: 'Name' }).fill('Acme Works');
    expect(await form.getByRole('textbox', { name: 'Code' }).inputValue()).toBe('acme-works');
    await form.getByRole('textbox', { name: 'Code' }).fill('Acme Works');
    await form.getByRole('button', { name: 'Create customer' }).click();
    await form.getByText(/^Use 2–39 lowercase letters/).waitFor();
    await form.getByRole('textbox', { name: 'Code' }).fill('acme');
    await checkAccessibility(page);
    await form.getByRole('button', { name: 'Create customer' }).click();

    const shown = page.getByRole('dialog', { name: 'Token of Acme Works' });
    const token = (await shown.getByRole('group', { name: 'Push token' }).textContent()) ?? '';
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(await shown.getByRole('group', { name: 'Settings for its portal' }).textContent()).toBe(
      `FleetIngest__Enabled=true\nFleetIngest__Url=${stage.portal.url}/api/fleet/ingest\nFleetIngest__Token=${token}`,
    );
    await checkAccessibility(page);
    await page.keyboard.press('Escape');
    await shown.getByRole('button', { name: 'Done' }).click();
    await shown.getByRole('alert').getByText('The token has not been copied yet. Close anyway?').waitFor();
    await shown.getByRole('button', { name: 'Close without copying' }).click();
    await shown.waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /Acme Works.*Never sent/ }).waitFor();
    expect(await page.content()).not.toContain(token);

    // Several from a table, with errors at their rows.
    await page.getByRole('button', { name: 'Add from a table' }).click();
    const paste = page.getByRole('dialog', { name: 'Add from a table' });
    const table = paste.getByRole('textbox', { name: 'Customers' });
    await table.fill('Name\tCode\tGroup\nAcme North\t\tNorth\nAcme\tacme\tNorth\n');
    await paste.getByRole('row', { name: /Acme North.*acme-north.*North.*Ready/ }).waitFor();
    await paste.getByRole('row', { name: /acme.*This code is taken\./ }).waitFor();
    expect(await paste.getByRole('button', { name: 'Create 2 customers' }).isDisabled()).toBe(true);
    await checkAccessibility(page);
    await table.fill('Acme North\t\tNorth\nAcme South\n');
    await paste.getByRole('button', { name: 'Create 2 customers' }).click();
    const tokens = page.getByRole('dialog', { name: 'Tokens of 2 new customers' });
    expect(await tokens.getByRole('group', { name: 'Codes and push tokens' }).textContent()).toMatch(
      /^code\ttoken\nacme-north\t[0-9a-f]{64}\nacme-south\t[0-9a-f]{64}$/,
    );
    await checkAccessibility(page);
    await tokens.getByRole('button', { name: 'Done' }).click();
    await tokens.getByRole('button', { name: 'Close without copying' }).click();
    await page.getByRole('row', { name: /Acme South.*Never sent/ }).waitFor();
    expect(problems).toEqual([]);
  });

  it('rotating shows the end of the old token: after the grace period, or at once with zero', async () => {
    await using opened = await stage.signedIn();
    const { page, problems } = opened;
    await createCustomer(page, 'rotate');
    await page.goto('/fleet');
    const { click, take } = countClicks();
    await click(page.getByRole('link', { name: 'Works rotate' }));
    await click(page.getByRole('button', { name: 'Rotate token' }));
    const form = page.getByRole('dialog', { name: 'Rotate token' });
    const hours = form.getByRole('textbox', { name: 'Grace period of the old token' });
    await hours.fill('721');
    await form.getByRole('button', { name: 'Rotate token' }).click();
    await form.getByText('Enter a number from 0 to 720, or leave the field empty.').waitFor();
    await hours.fill('48');
    await checkAccessibility(page);
    await click(form.getByRole('button', { name: 'Rotate token' }));
    const shown = page.getByRole('dialog', { name: 'Token of Works rotate' });
    await shown.getByText(/^The old token works until /).waitFor();
    expect(take()).toBeLessThanOrEqual(3);
    await shown.getByRole('button', { name: 'Done' }).click();
    await shown.getByRole('button', { name: 'Close without copying' }).click();
    await page.getByRole('link', { name: 'Customers' }).click();
    await page.getByRole('row', { name: /Works rotate.*Old token valid until / }).waitFor();
    await checkAccessibility(page);

    await choose(page, 'Works rotate', 'Rotate token');
    await form.getByText(/^The older token \(valid until /).waitFor();
    await hours.fill('0');
    await form.getByRole('button', { name: 'Rotate token' }).click();
    await shown.getByText('The old token no longer works.').waitFor();

    // By keyboard: from the question to its button, and back to the row.
    await shown.getByRole('button', { name: 'Done' }).press('Enter');
    await shown.getByRole('alert').waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Close without copying');
    await page.keyboard.press('Enter');
    const focused = () => page.evaluate('document.activeElement.getAttribute("aria-label")');
    await expect.poll(focused).toBe('Actions for Works rotate');
    expect(problems).toEqual([]);
  });

  it('deactivating and activating, renaming over another user’s change, deleting by typing the name', async () => {
    await using opened = await stage.signedIn();
    const { page, problems } = opened;
    const { customer } = await createCustomer(page, 'change');
    await page.goto('/customers');
    await choose(page, 'Works change', 'Deactivate');
    await page.getByRole('row', { name: /Works change.*Inactive/ }).waitFor();
    await choose(page, 'Works change', 'Activate');
    await page.getByRole('row', { name: /Works change.*Never sent/ }).waitFor();

    await choose(page, 'Works change', 'Edit');
    const form = page.getByRole('dialog', { name: 'Edit customer' });
    await form.getByRole('textbox', { name: 'Name' }).fill('Mine');
    const theirs = { name: 'Theirs', isActive: true };
    expect((await page.request.put(`${base}/${customer.id}`, { data: theirs })).status()).toBe(200);
    await form.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('row', { name: 'Name Mine Theirs' }).waitFor();
    await page.getByRole('button', { name: 'Overwrite with mine' }).click();
    await page.getByRole('row', { name: /^Mine/ }).waitFor();

    await choose(page, 'Mine', 'Delete');
    const confirm = page.getByRole('dialog', { name: 'Delete customer' });
    expect(await confirm.getByRole('button', { name: 'Delete customer' }).isDisabled()).toBe(true);
    await confirm.getByRole('textbox').fill('Mine');
    await checkAccessibility(page);
    await confirm.getByRole('button', { name: 'Delete customer' }).click();
    await page.getByRole('row', { name: /^Mine/ }).waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
  });

  it('the search narrows', async () => {
    await using opened = await stage.signedIn();
    const { page } = opened;
    const { customer } = await createCustomer(page, 'narrow');
    // A short list needs no search.
    for (let n = 1; n < 8; n += 1) await createCustomer(page, `other-${n}`);
    await page.goto('/customers');
    await page.getByRole('searchbox', { name: 'Search by name or code' }).fill('NARROW');
    await page.getByText(customer.name, { exact: true }).waitFor();
    expect(await page.getByRole('rowheader').count()).toBe(1);
  });
});

describe('what each role sees', () => {
  it('the navigation of an administrator has Customers instead of Sites; the pages of a Client do not exist', async () => {
    await using opened = await stage.signedIn();
    const { page } = opened;
    await page.goto('/');
    const links = page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link');
    await links.getByText('Customers').waitFor();
    const names = ['Overview', 'Customers', 'Measurements', 'Alarms', 'Reports', 'Dashboards', 'Settings'];
    expect(await links.allTextContents()).toEqual(names);
    for (const path of ['/dashboard', '/sites', '/settings/rates', '/settings/api-keys']) {
      await page.goto(path);
      await page.getByRole('heading', { name: 'Page not found' }).waitFor();
      // Not the page of that URL in a Client.
      await expect.poll(() => page.title()).toMatch(/^Page not found · /);
    }
  });

  it.each([[['RestrictedAdmin']], [[]]])('with the roles %j there is no registry', async (roles) => {
    await using opened = await stage.signedIn();
    const { page } = opened;
    const account = await createUser(page, `reader-${roles.length}`, roles);
    await signIn(page, account);
    await page.goto('/customers');
    await page.getByText('Administrators only', { exact: true }).waitFor();
    await expect.poll(() => page.title()).toMatch(/^Administrators only · /);
    expect(await page.getByRole('link', { name: 'Customers' }).count()).toBe(0);
    for (const name of ['Measurements', 'Alarms', 'Reports']) {
      expect(await page.getByRole('link', { name }).count(), name).toBe(roles.length);
    }
    await page.goto(roles.length === 0 ? '/measurements' : '/settings/users');
    await page.getByText('Administrators only', { exact: true }).waitFor();
  });
});

describe('Settings → Users', () => {
  it('a new restricted administrator is assigned customers next; an administrator changes them later', async () => {
    await using opened = await stage.signedIn();
    const { page, problems } = opened;
    const { customer } = await createCustomer(page, 'assigned');
    await page.goto('/settings/users');
    await page.getByRole('button', { name: 'New user' }).click();
    const form = page.getByRole('dialog', { name: 'New user' });
    await form.getByRole('textbox', { name: 'Display name' }).fill('Regional');
    await form.getByRole('textbox', { name: 'Email' }).fill('regional@example.com');
    await form.getByLabel('Password', { exact: true }).fill('Fleet-User-1');
    // One role at most.
    await form.getByRole('switch', { name: /^Administrator/ }).click();
    await form.getByRole('switch', { name: 'Restricted administrator' }).click();
    expect(await form.getByRole('switch', { name: /^Administrator/ }).isChecked()).toBe(false);
    await checkAccessibility(page);
    await form.getByRole('button', { name: 'Create' }).click();

    const assign = page.getByRole('dialog', { name: 'Assign customers' });
    await assign.getByRole('searchbox', { name: 'Search by name or code' }).fill('assigned');
    await assign.getByRole('checkbox', { name: 'Works assigned (assigned)' }).check();
    await assign.getByText('1 customer selected').waitFor();
    await checkAccessibility(page);
    await assign.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Regional sees 1 customer').waitFor();
    const users: { id: string; displayName: string }[] = await (await page.request.get('/api/users')).json();
    const path = `/api/users/${users.find(({ displayName }) => displayName === 'Regional')?.id}/customers`;
    expect(await (await page.request.get(path)).json()).toEqual({ customerIds: [customer.id] });

    await choose(page, 'Regional', 'Assign customers');
    expect(await assign.getByRole('checkbox').first().isChecked()).toBe(true);
    await assign.getByRole('checkbox', { name: 'Works assigned (assigned)' }).uncheck();
    await assign.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Regional sees no customers').waitFor();
    expect(await (await page.request.get(path)).json()).toEqual({ customerIds: [] });
    expect(problems).toEqual([]);
  });
});
