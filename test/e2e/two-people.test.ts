import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { checkAccessibility, closePages, launchBrowser, openPage } from '../support/browser.ts';
import { type RunningPortal, startPortal } from '../support/portal.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { codeAt } from '../support/second-factor.ts';
import { admin, create, signIn } from '../support/session.ts';
import { partOf, startSmtpServer } from '../support/smtp-server.ts';

let database: TestDatabase;
let portal: RunningPortal;
let browser: Browser;
let smtp: Awaited<ReturnType<typeof startSmtpServer>>;
let municipalityId = '';
let siteId = '';

beforeAll(async () => {
  database = await createTestDatabase('empty');
  smtp = await startSmtpServer();
  portal = await startPortal({
    environment: {
      Database__ConnectionString: database.connectionString,
      Mail__Host: 'localhost',
      Mail__Port: String(smtp.port),
      Mail__Security: 'none',
      Mail__From: 'portal@example.com',
    },
  });
  browser = await launchBrowser();
});
afterAll(async () => {
  await closePages(browser);
  await portal?.[Symbol.asyncDispose]();
  await database?.drop();
  await smtp?.stop();
});

let count = 0;
beforeEach(async () => {
  await using other = await openPage(browser, portal.url);
  await signIn(other.page);
  count += 1;
  municipalityId = await create(other.page, '/api/admin/rates/municipalities', {
    name: `Town ${count}`,
    timeZone: 'UTC',
  });
  siteId = await create(other.page, '/api/admin/sites', { name: `Works ${count}`, municipalityId });
});

/** Opens the form of the site and types another name. */
const editSite = async (page: Page, name: string) => {
  await signIn(page);
  await page.goto(`/sites/${siteId}`);
  await page.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Edit site' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill(name);
};
/** A second user in another browser. */
const renameElsewhere = async (name: string) => {
  await using other = await openPage(browser, portal.url);
  await signIn(other.page);
  const data = { name, municipalityId };
  expect((await other.page.request.put(`/api/admin/sites/${siteId}`, { data })).status()).toBe(200);
};
const storedName = async (page: Page) => {
  const { name }: { name: string } = await (await page.request.get(`/api/sites/${siteId}`)).json();
  return name;
};

it('saving over another user’s change shows both versions; "overwrite" saves one’s own', async () => {
  await using opened = await openPage(browser, portal.url);
  const { page } = opened;
  await editSite(page, 'Mine');
  await renameElsewhere('Theirs');
  await page.getByRole('button', { name: 'Save changes' }).click();
  const conflict = page.getByRole('dialog', { name: 'Someone else changed this' });
  await conflict.getByRole('row', { name: 'Name Mine Theirs' }).waitFor();
  await checkAccessibility(page);
  expect(await storedName(page)).toBe('Theirs');
  await conflict.getByRole('button', { name: 'Overwrite with mine' }).click();
  await page.getByRole('heading', { level: 1, name: 'Mine' }).waitFor();
  expect(await storedName(page)).toBe('Mine');
  expect(opened.problems).toEqual([]);
});

it('"keep theirs" writes nothing and shows theirs; without a choice editing continues', async () => {
  await using opened = await openPage(browser, portal.url);
  const { page } = opened;
  await editSite(page, 'Mine');
  await renameElsewhere('Theirs');
  await page.getByRole('button', { name: 'Save changes' }).click();
  const conflict = page.getByRole('dialog', { name: 'Someone else changed this' });
  await conflict.getByRole('button', { name: 'Close' }).click();
  await page.getByText(/Someone else changed this/).waitFor();
  expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Mine');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await conflict.getByRole('button', { name: 'Keep theirs' }).click();
  await page.getByRole('heading', { level: 1, name: 'Theirs' }).waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await storedName(page)).toBe('Theirs');
});

it('deleting a resource that another user has changed shows that, and keeps it', async () => {
  await using opened = await openPage(browser, portal.url);
  const { page, problems } = opened;
  await signIn(page);
  await page.goto(`/sites/${siteId}`);
  await page.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Delete site' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete site' });
  await dialog.getByRole('textbox').fill(`Works ${count}`);
  await renameElsewhere('Still in use');
  await dialog.getByRole('button', { name: 'Delete site' }).click();
  await dialog.getByText(/Someone else changed this/).waitFor();
  expect(await storedName(page)).toBe('Still in use');
  // By then the page shows the other user's version.
  await dialog.getByRole('textbox').fill('Still in use');
  await dialog.getByRole('button', { name: 'Delete site' }).click();
  await page.getByRole('heading', { level: 1, name: 'Sites' }).waitFor();
  expect(problems.filter((problem) => !problem.includes('412'))).toEqual([]);
});

it('a session that ends keeps form entries: sign in over the page, and continue', async () => {
  await using opened = await openPage(browser, portal.url);
  const { page } = opened;
  await editSite(page, 'Typed before');
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Save changes' }).click();
  const over = page.getByRole('dialog', { name: 'Session expired' });
  await over.waitFor();
  await checkAccessibility(page);
  await over.getByRole('textbox', { name: 'Password' }).fill('wrong');
  await over.getByRole('button', { name: 'Sign in' }).click();
  await over.getByText('Wrong email or password.').waitFor();
  expect(await page.evaluate('document.activeElement.name')).toBe('password');
  await over.getByRole('textbox', { name: 'Password' }).fill(admin.password);
  await over.getByRole('button', { name: 'Sign in' }).click();
  await over.waitFor({ state: 'detached' });
  expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Typed before');
  await page.getByRole('alert').getByText('Your session expired. Try again.').waitFor();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByRole('heading', { level: 1, name: 'Typed before' }).waitFor();
  expect(opened.problems).toEqual([]);
});

it('leaving instead leads to the sign-in', async () => {
  await using opened = await openPage(browser, portal.url);
  const { page } = opened;
  await editSite(page, 'Typed before');
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByRole('button', { name: 'Leave this page' }).click();
  await page.waitForURL(/\/sign-in/);
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
});

it('a page whose browser signs in another user shows that user’s data only', async () => {
  await using opened = await openPage(browser, portal.url);
  const { page } = opened;
  await signIn(page);
  const guest = { email: 'guest@example.com', password: 'Something long 1!' };
  await create(page, '/api/users', { ...guest, displayName: 'Guest', roles: [] });
  await editSite(page, 'Typed before');
  await page.getByText('Administrator', { exact: true }).waitFor();
  // A user with unsaved changes is asked whether to stay.
  const asked = page.waitForEvent('dialog');

  const other = await page.context().newPage();
  await other.request.post('/api/auth/logout');
  await other.goto('/sign-in');
  await other.getByRole('textbox', { name: 'Email' }).fill(guest.email);
  await other.getByRole('textbox', { name: 'Password' }).fill(guest.password);
  await other.getByRole('button', { name: 'Sign in', exact: true }).click();
  const question = await asked;
  await question.dismiss();
  expect(await page.locator('body').innerText()).toBe('');
  page.once('dialog', (again) => void again.accept());
  await page.reload();
  await page.getByText('Guest', { exact: true }).waitFor({ timeout: 20_000 });
  expect(await page.getByText('Administrator', { exact: true }).count()).toBe(0);
});

it('a background page shows the new user’s data as soon as it is visible', async () => {
  await using opened = await openPage(browser, portal.url);
  const { page } = opened;
  await signIn(page);
  const reader = { email: 'sleep@example.com', password: 'Something long 1!' };
  await create(page, '/api/users', { ...reader, displayName: 'Reader', roles: [] });
  await page.goto('/sites');
  await page.getByText('Administrator', { exact: true }).waitFor();
  // Nothing informs the page.
  await signIn(page, reader);
  await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
  await page.getByText('Reader', { exact: true }).waitFor();
  expect(await page.getByText('Administrator', { exact: true }).count()).toBe(0);
});

it('signing out offline signs out all pages at once, and the portal when it is back, even from another page', async () => {
  await using opened = await openPage(browser, portal.url);
  const { page } = opened;
  await signIn(page);
  const context = page.context();
  await page.goto('/sites');
  await page.getByRole('heading', { level: 1, name: 'Sites' }).waitFor();
  const beside = await context.newPage();
  await beside.goto('/sites');
  await beside.getByText('Administrator', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Account and preferences' }).click();
  // Only the portal is unreachable.
  await context.route('**/api/**', (route) => route.abort('connectionfailed'));
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText(/^Signed out on this device/).waitFor();
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  await beside.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  await beside.close();
  // Its cookie still exists: the session is not over yet.
  expect((await page.request.get('/api/auth/me')).status()).toBe(200);
  await page.close();
  const later = await context.newPage();
  await later.goto('/sites');
  await later.getByRole('button', { name: 'Sign in', exact: true }).waitFor();

  await context.unroute('**/api/**');
  await expect.poll(async () => (await later.request.get('/api/auth/me')).status()).toBe(401);
  expect(await later.getByRole('button', { name: 'Sign in', exact: true }).count()).toBe(1);
  await later.reload();
  await later.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  expect(await later.evaluate("localStorage.getItem('sign-out-due')")).toBeNull();
});

it('Settings → Password lists the sessions, and ends another one at once', async () => {
  await using elsewhere = await openPage(browser, portal.url);
  await signIn(elsewhere.page);
  await using opened = await openPage(browser, portal.url);
  const { page } = opened;
  await signIn(page);
  await page.goto('/settings/password');
  const table = page.getByRole('table', { name: 'Sessions' });
  await table.getByText('This device').waitFor();
  await checkAccessibility(page);
  await page.getByRole('button', { name: 'Sign out all others' }).click();
  await page.getByText('All other sessions signed out').waitFor();
  expect(await table.getByRole('row').count()).toBe(2);
  expect((await elsewhere.page.request.get('/api/auth/me')).status()).toBe(401);
  expect((await page.request.get('/api/auth/me')).status()).toBe(200);
});

/** An authenticator that answers for its user. */
async function addAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

it('a user is invited by mail, sets a password with the link, and later a forgotten one', async () => {
  await using opened = await openPage(browser, portal.url, { viewport: { width: 390, height: 1200 } });
  const { page, problems } = opened;
  await signIn(page);
  await page.goto('/settings/users');
  await page.getByRole('button', { name: 'New user' }).click();
  const dialog = page.getByRole('dialog', { name: 'New user' });
  await dialog.getByLabel('Display name').fill('Ida');
  await dialog.getByRole('textbox', { name: 'Email' }).fill('ida@example.com');
  expect(await dialog.getByLabel('Password', { exact: true }).count()).toBe(0);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Invitation to ida@example.com is on its way').waitFor();

  const nextLink = async () => {
    await expect.poll(() => smtp.received.length, { timeout: 20_000 }).toBe(1);
    const text = partOf(smtp.received.pop()?.raw ?? '', 'text/plain');
    return /http:\S+#token=\S+/.exec(text)?.[0] ?? '';
  };
  await using other = await openPage(browser, portal.url, { viewport: { width: 390, height: 844 } });
  const { page: theirs } = other;
  const setPassword = async (link: string, password: string) => {
    await theirs.goto(link);
    await theirs.getByRole('heading', { level: 2, name: 'Set your password' }).waitFor();
    await theirs.getByLabel('New password', { exact: true }).fill(password);
    await checkAccessibility(theirs);
    await theirs.getByRole('button', { name: 'Set password' }).click();
  };
  const invitation = await nextLink();
  await setPassword(invitation, 'Ida-Password-1');
  await theirs.getByText('Password set. You can now sign in.').waitFor();
  await theirs.getByRole('button', { name: 'Sign in' }).click();

  await theirs.getByRole('button', { name: 'Forgot password?' }).click();
  await theirs.getByRole('textbox', { name: 'Email' }).fill('ida@example.com');
  await checkAccessibility(theirs);
  await theirs.getByRole('button', { name: 'Send link' }).click();
  await theirs.getByText('If ida@example.com has an account, a link is on its way.').waitFor();
  await setPassword(await nextLink(), 'Ida-Password-2');
  await theirs.getByText('Password set. You can now sign in.').waitFor();
  await signIn(theirs, { email: 'ida@example.com', password: 'Ida-Password-2' });
  await theirs.goto('about:blank');
  await setPassword(invitation, 'Ida-Password-3');
  await theirs.getByText('The link is not valid any more').waitFor();

  await theirs.goto('/settings/notifications');
  await theirs.getByRole('switch', { name: 'Quiet hours' }).click();
  await theirs.getByLabel('To', { exact: true }).fill('22:00');
  await theirs.getByRole('button', { name: 'Save changes' }).click();
  await theirs.getByText('Choose another time than the start.').waitFor();
  await theirs.getByLabel('To', { exact: true }).fill('05:30');
  // A link that the header half covers would count as too small.
  await theirs.evaluate('scrollTo(0, 0)');
  await checkAccessibility(theirs);
  await theirs.getByRole('button', { name: 'Save changes' }).click();
  await theirs.getByText('Notifications saved').waitFor();
  expect(await (await theirs.request.get('/api/me/notifications')).json()).toMatchObject({
    quietHours: { startTime: '22:00', endTime: '05:30' },
  });

  smtp.state.refuse = 'mailbox full';
  await page.goto('/settings/mail');
  await page.getByText('No failed messages').waitFor();
  await page.getByRole('button', { name: 'Send a test mail' }).click();
  await page.getByRole('alert').getByText('mailbox full').waitFor();
  smtp.state.refuse = null;
  await page.getByRole('button', { name: 'Send a test mail' }).click();
  await page.getByText(`The mail server accepted a mail to ${admin.email}.`).waitFor();
  await checkAccessibility(page);
  expect(problems).toEqual([]);
});

it('a passkey is added, signs in without a password, and proves that it may be removed', async () => {
  // Browsers offer no passkeys for an address without a domain name.
  const url = portal.url.replace('127.0.0.1', 'localhost');
  await using opened = await openPage(browser, url, { viewport: { width: 390, height: 844 } });
  const { page } = opened;
  await addAuthenticator(page);
  const account = { email: 'passkey@example.com', password: 'Secret-Pass-1' };
  await signIn(page);
  await create(page, '/api/users', { ...account, displayName: 'Passkey', roles: [] });
  expect((await page.request.post('/api/auth/login', { data: account })).status()).toBe(200);
  await page.goto('/settings/password');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('You’ll need it at every sign-in.').waitFor();
  await dialog.getByRole('textbox', { name: 'Passkey name' }).fill('This phone');
  await dialog.getByRole('textbox', { name: 'Your password' }).fill(account.password);
  await checkAccessibility(page);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByRole('group', { name: 'Recovery codes' }).waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.getByRole('button', { name: 'Close without copying' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('table', { name: 'Passkeys' }).getByText('This phone').waitFor();
  await checkAccessibility(page);

  await page.context().clearCookies();
  await page.goto('/sign-in');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.waitForURL(/\/dashboard/);

  await page.goto('/settings/password');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await dialog.getByText('Other sessions are signed out.', { exact: true }).waitFor();
  await dialog.getByRole('textbox', { name: 'Passkey name' }).fill('Once more');
  await dialog.getByRole('textbox', { name: 'Your password' }).fill(account.password);
  await dialog.getByRole('button', { name: 'Use a passkey' }).click();
  await dialog.getByText('This device already has a passkey.').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Add an authenticator app' }).click();
  await dialog.getByText('You get new recovery codes, and other sessions are signed out.').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Remove This phone' }).click();
  await dialog.getByText(/sign in with your password only/).waitFor();
  await dialog.getByRole('textbox', { name: 'Your password' }).fill(account.password);
  await checkAccessibility(page);
  await dialog.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByText('Off: only your password protects your account.').waitFor();
  expect(opened.problems).toEqual([]);
});

it('a source with too many failures sees how long it waits to sign in with a passkey', async () => {
  await using opened = await openPage(browser, portal.url.replace('127.0.0.1', 'localhost'));
  const { page } = opened;
  await page.route('**/api/auth/login/passkey/options', (route) =>
    route.fulfill({ status: 429, headers: { 'retry-after': '300' }, json: { error: '', code: 'tooManyRequests' } }),
  );
  await page.goto('/sign-in');
  const button = page.getByRole('button', { name: 'Sign in with a passkey' });
  await button.click();
  await page.getByText(/^Too many failed attempts\. You can try again in/).waitFor();
  expect(await button.isDisabled()).toBe(true);
});

it('Settings → Password turns the second factor on; signing in then takes a code of the app or a recovery code, and administrators may be asked to have one', async () => {
  await using opened = await openPage(browser, portal.url, { viewport: { width: 390, height: 844 } });
  const { page } = opened;
  const account = { email: 'second@example.com', password: 'Secret-Pass-1' };
  await signIn(page);
  await create(page, '/api/users', { ...account, displayName: 'Second', roles: ['Admin'] });
  expect((await page.request.post('/api/auth/login', { data: account })).status()).toBe(200);
  await page.goto('/settings/password');
  await page.getByRole('button', { name: 'Add an authenticator app' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Your password' }).fill(account.password);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
  await checkAccessibility(page);
  const secret = (await dialog.getByRole('group', { name: 'Key for the app' }).innerText()).replaceAll(/\s/g, '');
  await dialog.getByRole('textbox', { name: 'Code from the app' }).fill(codeAt(secret, Date.now()));
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  const codes = await dialog.getByRole('group', { name: 'Recovery codes' }).innerText();
  // Each on its own line, all visible, for users who write them down.
  expect(
    await page.evaluate(`(({ firstElementChild, scrollWidth, clientWidth, scrollHeight, clientHeight }) => [
      new Set([...firstElementChild.getClientRects()].map(({ top }) => top)).size,
      scrollWidth - clientWidth,
      scrollHeight - clientHeight,
    ])(document.querySelector('pre[aria-label="Recovery codes"]'))`),
  ).toEqual([10, 0, 0]);
  await checkAccessibility(page);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.getByText(/haven’t saved your codes/).waitFor();
  await dialog.getByRole('button', { name: 'Close without copying' }).click();
  await page.getByText(/^On since .* 10 recovery codes left\.$/).waitFor();
  await dialog.waitFor({ state: 'detached' });
  await checkAccessibility(page);

  await page.context().clearCookies();
  await page.goto('/sign-in');
  const typePassword = async () => {
    await page.getByRole('textbox', { name: 'Email' }).fill(account.email);
    await page.getByRole('textbox', { name: 'Password' }).fill(account.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };
  await typePassword();
  const code = page.getByRole('textbox', { name: 'Code from the app' });
  await code.fill('000000');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Wrong or already used code.').waitFor();
  expect(await page.evaluate('document.activeElement.name')).toBe('code');
  await checkAccessibility(page);
  // The next code: the current one has already been used to turn it on.
  await code.fill(codeAt(secret, Date.now() + 30_000));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(/\/dashboard/);

  await page.context().clearCookies();
  await page.goto('/sign-in');
  await typePassword();
  await code.fill('000000');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Wrong or already used code.').waitFor();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Enter the code.').waitFor();
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await expect.poll(() => page.getByText(/Wrong or already used code|Enter the code/).count()).toBe(0);
  await page.getByRole('textbox', { name: 'Recovery code' }).fill(codes.split('\n')[0] ?? '');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(/\/dashboard/);

  await using typing = await openPage(browser, portal.url, { viewport: { width: 390, height: 844 } });
  await signIn(typing.page);
  await typing.page.goto('/settings/profile');
  await typing.page.getByRole('textbox', { name: 'Display name' }).fill('Typed before');

  await page.goto('/settings/users');
  const policy = page.getByRole('switch', { name: 'Administrators need two-factor authentication' });
  await page.locator('label').filter({ hasText: 'Administrators need two-factor authentication' }).click();
  await page.getByText('Two-factor authentication required').waitFor();
  expect(await policy.isChecked()).toBe(true);
  // High enough that the toast covers no button of the list.
  await page.setViewportSize({ width: 390, height: 1600 });
  await checkAccessibility(page);
  await page.setViewportSize({ width: 390, height: 844 });

  const enrol = async (at: Page | Locator) => {
    await at.getByRole('textbox', { name: 'Password' }).fill(admin.password);
    await at.getByRole('button', { name: 'Sign in' }).click();
    const key = at.getByRole('group', { name: 'Key for the app' });
    const newSecret = (await key.innerText()).replaceAll(/\s/g, '');
    await at.getByRole('textbox', { name: 'Code from the app' }).fill(codeAt(newSecret, Date.now()));
    await checkAccessibility('context' in at ? at : at.page());
    await at.getByRole('button', { name: 'Turn on' }).click();
    await at.getByRole('group', { name: 'Recovery codes' }).waitFor();
  };
  const closeCodes = async (at: Page | Locator) => {
    await at.getByRole('button', { name: 'Done' }).click();
    await at.getByRole('button', { name: 'Close without copying' }).click();
  };
  // Signed out while typing, and asked for a second factor in a dialog over the page.
  await typing.page.getByRole('button', { name: 'Save changes' }).click();
  const over = typing.page.getByRole('dialog', { name: 'Session expired' });
  await enrol(over);
  // The codes stay until the user closes them.
  expect(await over.getByRole('button', { name: 'Leave this page' }).count()).toBe(0);
  await closeCodes(over);
  await over.waitFor({ state: 'detached' });
  expect(await typing.page.getByRole('textbox', { name: 'Display name' }).inputValue()).toBe('Typed before');

  const users: { id: string; email: string }[] = await (await page.request.get('/api/users')).json();
  const adminId = users.find(({ email }) => email === admin.email)?.id;
  expect((await page.request.post(`/api/users/${adminId}/reset-second-factor`)).status()).toBe(204);
  await page.context().clearCookies();
  await page.goto('/sign-in');
  await page.getByRole('textbox', { name: 'Email' }).fill(admin.email);
  await enrol(page);
  await closeCodes(page);
  await page.waitForURL(/\/dashboard/);

  const newcomer = { email: 'newcomer@example.com', password: 'Secret-Pass-1' };
  const newcomerId = await create(page, '/api/users', { ...newcomer, displayName: 'Newcomer', roles: ['Admin'] });
  await using named = await openPage(browser, portal.url.replace('127.0.0.1', 'localhost'));
  await addAuthenticator(named.page);
  await named.page.goto('/sign-in');
  await named.page.getByRole('textbox', { name: 'Email' }).fill(newcomer.email);
  const beginWithPasskey = async (password: string) => {
    await named.page.getByRole('textbox', { name: 'Password' }).fill(password);
    await named.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await named.page.getByRole('button', { name: 'Use a passkey' }).click();
    await named.page.getByRole('textbox', { name: 'Passkey name' }).fill('This computer');
  };
  await beginWithPasskey(newcomer.password);
  const reset = { data: { newPassword: 'Secret-Pass-2' } };
  expect((await page.request.post(`/api/users/${newcomerId}/reset-password`, reset)).status()).toBe(204);
  await named.page.getByRole('button', { name: 'Add a passkey' }).click();
  await named.page
    .getByText('Sign-in timed out, or the account changed; start again with the password.', { exact: true })
    .waitFor();
  await checkAccessibility(named.page);
  await named.page.getByRole('button', { name: 'Start again' }).click();
  await beginWithPasskey(reset.data.newPassword);
  await checkAccessibility(named.page);
  await named.page.getByRole('button', { name: 'Add a passkey' }).click();
  await named.page.getByRole('button', { name: 'Done' }).click();
  await named.page.getByRole('button', { name: 'Close without copying' }).click();
  await named.page.waitForURL(/\/dashboard/);
  // The last second factor of a user who needs one: the reason it stays is shown before a password is typed.
  await named.page.goto('/settings/password');
  const passkeys = named.page.getByRole('table', { name: 'Passkeys' });
  await passkeys.getByText('Administrators need two-factor authentication.').waitFor({ state: 'attached' });
  const remove = passkeys.getByRole('button', { name: 'Remove This computer' });
  expect(await remove.getAttribute('aria-disabled')).toBe('true');
  await remove.click({ force: true });
  expect(await named.page.getByRole('dialog').count()).toBe(0);
  await checkAccessibility(named.page);
  expect(named.problems).toEqual([]);
  const data = { adminsNeedSecondFactor: false };
  expect((await page.request.put('/api/admin/sign-in-policy', { data })).status()).toBe(200);
  expect(opened.problems).toEqual([]);
});
