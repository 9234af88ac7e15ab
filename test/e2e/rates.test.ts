import type { Locator, Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { checkAccessibility } from '../support/browser.ts';
import { create, signIn } from '../support/session.ts';
import { stageOfFile } from '../support/stage.ts';
import { cost } from '../support/vectors.ts';

const stage = stageOfFile();

interface StoredTariff {
  id: string;
  name: string;
  effectiveFrom: string;
  effectiveTo: string | null;
  periods: { name: string; daysOfWeek: number; startTime: string; endTime: string; ratePerKwh: number }[];
}
interface StoredMunicipality {
  id: string;
  name: string;
  tariffs: StoredTariff[];
}

const storedRates = async (page: Page): Promise<StoredMunicipality[]> => (await page.request.get('/api/rates')).json();

const createMunicipality = (page: Page, name: string) =>
  create(page, '/api/admin/rates/municipalities', { name, timeZone: 'Europe/Berlin' });

/** The cell of the week grid that starts at this time: "Monday 22:00". */
const cell = (page: Page, start: string) => page.getByRole('gridcell', { name: new RegExp(`^${start}`) });

async function middleOf(locator: Locator): Promise<{ x: number; y: number }> {
  const box = await locator.boundingBox();
  if (box === null) throw new Error('Not on the page.');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

async function drag(page: Page, from: string, to: string): Promise<void> {
  await cell(page, from).scrollIntoViewIfNeeded();
  const [start, end] = [await middleOf(cell(page, from)), await middleOf(cell(page, to))];
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2);
  await page.mouse.move(end.x, end.y);
  await page.mouse.up();
}

async function calculate(
  page: Page,
  powerKw: string,
  day: string,
  texts = { power: 'Load', from: 'From', to: 'To (inclusive)', do: 'Calculate' },
) {
  await page.getByLabel(texts.power, { exact: true }).fill(powerKw);
  await page.getByLabel(texts.from, { exact: true }).fill(day);
  await page.getByLabel(texts.to, { exact: true }).fill(day);
  await page.getByRole('button', { name: texts.do, exact: true }).click();
}

const c01 = cost.find(({ id }) => id === 'C01');
const tariffOfC01 = c01?.tariffs[0];
if (c01 === undefined || tariffOfC01 === undefined) throw new Error('The vector C01 is missing.');
const [nightOfC01] = tariffOfC01.periods;
if (nightOfC01 === undefined) throw new Error('The vector C01 has no period.');

it('from nothing to the cost of vector C01: municipality, tariff, a painted night, the calculator', async () => {
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  await page.goto('/settings/profile');
  await page.getByRole('link', { name: 'Rates' }).click();
  await page.getByText('No municipalities yet').waitFor();
  await checkAccessibility(page);

  await page.getByRole('button', { name: 'New municipality' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Municipality name').fill('Berlin');
  await dialog.getByRole('combobox', { name: 'Time zone' }).fill('berlin');
  await page.getByRole('option', { name: /Europe\/Berlin/ }).click();
  await checkAccessibility(page);
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
  await page.getByText('No tariff yet').waitFor();

  await page.getByRole('link', { name: 'New tariff for Berlin' }).click();
  await page.getByRole('heading', { level: 1, name: 'New tariff' }).waitFor();
  await page.getByLabel('Name', { exact: true }).fill(tariffOfC01.name);
  await page.getByLabel('First day').fill(tariffOfC01.effectiveFrom);
  await page.getByLabel('Default rate', { exact: true }).first().fill(String(tariffOfC01.defaultRatePerKwh));
  await page.getByRole('button', { name: 'New period' }).first().click();
  const band = page.getByRole('group', { name: 'Unnamed period' });
  // The new period has the focus, so that its name can be typed.
  await page.keyboard.type(nightOfC01.name);
  await page
    .getByRole('group', { name: nightOfC01.name, exact: true })
    .getByLabel('Rate')
    .fill(String(nightOfC01.ratePerKwh));
  expect(await band.count()).toBe(0);

  await drag(page, 'Monday 22:00', 'Sunday 23:30');
  await drag(page, 'Sunday 05:30', 'Monday 00:00');
  const times = page.getByRole('group', { name: 'Mon–Sun 22:00–06:00' });
  await times.waitFor();
  expect(await times.getByLabel('Start').inputValue()).toBe(nightOfC01.startTime);
  expect(await times.getByLabel('End').inputValue()).toBe(nightOfC01.endTime);
  expect(await page.getByRole('gridcell', { name: /: Night$/ }).count()).toBe(7 * 16);

  await calculate(page, '4', '2026-03-28');
  const result = page.getByRole('table', { name: /Cost of 28 Mar 2026/ });
  const row = (name: string) => result.getByRole('row', { name: new RegExp(`^${name}`) }).innerText();
  await result.waitFor();
  const money = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'EUR' });
  expect(await row('Total')).toContain(money.format(c01.expect.totalRounded));
  for (const { period, cost: amount } of c01.expect.lines) expect(await row(period)).toContain(money.format(amount));
  expect(await row('Total')).toContain('€22.40');
  await checkAccessibility(page);

  await page.getByRole('button', { name: 'Create tariff' }).click();
  await page.getByRole('link', { name: tariffOfC01.name, exact: true }).waitFor();
  await page.getByText('Active', { exact: true }).waitFor();
  await checkAccessibility(page);
  const [berlin] = await storedRates(page);
  expect(berlin?.tariffs).toMatchObject(c01.tariffs);
  expect(problems).toEqual([]);
});

describe('the week grid', () => {
  let municipalityId = '';
  beforeEach(async () => {
    await using opened = await stage.signedIn();
    municipalityId = await createMunicipality(opened.page, `Town ${performance.now()}`);
  });

  const openNew = async (page: Page, periods: string[]) => {
    await signIn(page);
    await page.goto(`/settings/rates/new?municipality=${municipalityId}`);
    await page.getByLabel('Name', { exact: true }).fill('Painted');
    await page.getByLabel('Default rate', { exact: true }).first().fill('0.3');
    for (const [index, name] of periods.entries()) {
      await page.getByRole('button', { name: 'New period' }).first().click();
      await page
        .getByRole('group', { name: 'Unnamed period' })
        .getByLabel('Rate')
        .fill(`0.${index + 1}`);
      await page.getByRole('group', { name: 'Unnamed period' }).getByLabel('Name', { exact: true }).fill(name);
    }
  };
  const savedPeriods = async (page: Page) => {
    await page.getByRole('button', { name: 'Create tariff' }).click();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    const town = (await storedRates(page)).find(({ id }) => id === municipalityId);
    return town?.tariffs[0]?.periods.map(({ name, daysOfWeek, startTime, endTime }) => [
      name,
      daysOfWeek,
      startTime,
      endTime,
    ]);
  };

  it('is painted by keyboard alone: arrows move, Shift chooses, Space paints, digits change the period, Delete wipes', async () => {
    await using opened = await stage.open();
    const { page, problems } = opened;
    await openNew(page, ['Day', 'Noon']);
    const { keyboard } = page;
    await cell(page, 'Monday 06:00').focus();
    await keyboard.press('1');
    for (let step = 0; step < 15; step += 1) await keyboard.press('Shift+ArrowDown');
    for (let step = 0; step < 4; step += 1) await keyboard.press('Shift+ArrowRight');
    expect(await page.getByRole('gridcell', { selected: true }).count()).toBe(16 * 5);
    await keyboard.press('Space');
    await page.getByRole('group', { name: 'Mon–Fri 06:00–14:00' }).waitFor();

    await keyboard.press('2');
    await keyboard.press('PageUp');
    expect(await page.evaluate('document.activeElement?.getAttribute("aria-label")')).toBe('Friday 10:30–11:00: Day');
    await keyboard.press('Shift+ArrowDown');
    await keyboard.press('Enter');
    await keyboard.press('Home');
    await keyboard.press('Delete');
    expect(await savedPeriods(page)).toEqual([
      ['Day', 1, '06:00', '11:00'],
      ['Day', 17, '11:30', '14:00'],
      ['Day', 14, '06:00', '14:00'],
      ['Day', 16, '06:00', '10:30'],
      ['Noon', 16, '10:30', '11:30'],
    ]);
    expect(problems).toEqual([]);
  });

  it('gives the focus of times and of a period that are removed by keyboard to what adds others', async () => {
    await using opened = await stage.open();
    const { page } = opened;
    await openNew(page, ['Day']);
    const focused = () =>
      page.evaluate('(document.activeElement.ariaLabel ?? document.activeElement.innerText).trim()');
    await page.getByRole('button', { name: 'Add times to Day' }).press('Enter');
    await page.getByRole('button', { name: 'Remove Mon–Fri' }).press('Enter');
    expect(await focused()).toBe('Add times to Day');
    await page.getByRole('button', { name: 'Remove Day' }).press('Enter');
    expect(await focused()).toBe('New period');
  });

  it('an exact time such as 07:10 is typed; an overlap is shown before saving, and painting over it resolves it', async () => {
    await using opened = await stage.open();
    const { page, problems } = opened;
    await openNew(page, ['Peak', 'Night']);
    await page.getByRole('button', { name: 'Add times to Peak' }).click();
    const peak = page.getByRole('group', { name: 'Peak', exact: true });
    await peak.getByLabel('Start').fill('0710');
    await peak.getByLabel('End').fill('9');
    await peak.getByLabel('End').blur();
    expect(await peak.getByLabel('Start').inputValue()).toBe('07:10');
    expect(await cell(page, 'Monday 07:00').getAttribute('aria-label')).toBe('Monday 07:00–07:30: Peak, Default rate');

    await page.getByRole('button', { name: 'Add times to Night' }).click();
    const night = page.getByRole('group', { name: 'Night', exact: true });
    await night.getByLabel('Start').fill('22:00');
    await night.getByLabel('End').fill('07:40');
    await page.getByText('Peak and Night overlap: Tue–Fri 07:10–07:40').waitFor();
    await checkAccessibility(page);
    await page.getByRole('button', { name: 'Create tariff' }).click();
    await page.getByText('Fix the marked periods').waitFor();
    const focused = () => page.evaluate<string>('document.activeElement?.textContent ?? ""');
    await expect.poll(focused).toContain('Peak and Night overlap: Tue–Fri 07:10–07:40');
    // The focus moves to the first problem, however many periods there are.
    await night.getByLabel('End').fill('');
    await page.getByRole('button', { name: 'Create tariff' }).click();
    const wrong = () => page.evaluate<unknown>('[document.activeElement.ariaLabel, document.activeElement.value]');
    await expect.poll(wrong).toEqual(['End', '']);
    await night.getByLabel('End').fill('07:40');
    expect((await storedRates(page)).find(({ id }) => id === municipalityId)?.tariffs).toEqual([]);

    await page.getByRole('radio', { name: 'Peak' }).check({ force: true });
    await drag(page, 'Tuesday 07:00', 'Saturday 07:30');
    await page.getByText('Periods overlap').waitFor({ state: 'hidden' });
    expect(await savedPeriods(page)).toEqual([
      ['Peak', 1, '07:10', '09:00'],
      ['Peak', 30, '07:00', '09:00'],
      ['Peak', 32, '07:00', '08:00'],
      ['Night', 31, '22:00', '07:00'],
    ]);
    expect(problems).toEqual([]);
  });

  it('a period with a long name keeps within its card, also where the page says what holds for the rest of the week', async () => {
    await using opened = await stage.open({ viewport: { width: 390, height: 844 } });
    const { page } = opened;
    await openNew(page, []);
    await page.getByText('The default rate applies all week.').waitFor();
    expect(await page.getByText('168 h').count()).toBe(0);
    await page.getByRole('button', { name: 'New period' }).first().click();
    const name = 'Spitzenlastzeitfenster'.repeat(4);
    await page.keyboard.type(name);
    await page.getByText('Remaining 168 h: default rate').waitFor();
    expect((await page.getByRole('group', { name, exact: true }).boundingBox())?.width).toBeLessThan(390);
  });

  it('is painted by a finger at 390 px, in the dark, and the page stays accessible', async () => {
    const options = {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      colorScheme: 'dark',
    } as const;
    await using opened = await stage.open(options);
    const { page, problems } = opened;
    await openNew(page, ['Night']);
    await cell(page, 'Wednesday 03:00').evaluate((node: { scrollIntoView: (how: object) => void }) =>
      node.scrollIntoView({ block: 'center' }),
    );
    const [start, end] = [await middleOf(cell(page, 'Monday 02:00')), await middleOf(cell(page, 'Tuesday 04:30'))];
    const session = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[]) =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints: points });
    await touch('touchStart', [start]);
    await touch('touchMove', [{ x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 }]);
    await touch('touchMove', [end]);
    await touch('touchEnd', []);
    await page.getByRole('group', { name: 'Mon, Tue 02:00–05:00' }).waitFor();
    await checkAccessibility(page);
    expect(
      await page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
    ).toBeLessThanOrEqual(0);
    expect(await savedPeriods(page)).toEqual([['Night', 3, '02:00', '05:00']]);
    expect(problems).toEqual([]);
  });
});

it('a new version takes the prices along and, asked, ends the one before; deleting asks for the name', async () => {
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  const municipalityId = await createMunicipality(page, 'Versions');
  const night = { name: 'Night', daysOfWeek: 127, startTime: '22:00', endTime: '06:00', ratePerKwh: 0.1 };
  const terms = { currency: 'EUR', defaultRatePerKwh: 0.3, periods: [night] };
  const tariff = { ...terms, municipalityId, name: 'Contract', effectiveFrom: '2025-01-01' };
  await create(page, '/api/admin/rates/tariffs', tariff);

  await page.goto('/settings/rates');
  const section = page.getByRole('region', { name: 'Versions' });
  await section.getByRole('button', { name: 'Actions for Contract' }).click();
  await page.getByRole('menuitem', { name: 'New version' }).click();
  await page.getByRole('heading', { level: 1, name: 'New version of Contract' }).waitFor();
  await page.getByLabel('First day').fill('2030-03-01');
  await page.getByText('End “Contract” on 28 Feb 2030').waitFor();
  await page.getByLabel('Name', { exact: true }).first().fill('Contract 2030');
  await checkAccessibility(page);
  await page.getByRole('button', { name: 'Create and end previous' }).click();
  await section.getByRole('link', { name: 'Contract 2030' }).waitFor();
  const versions = async () => (await storedRates(page)).find(({ id }) => id === municipalityId)?.tariffs ?? [];
  expect(await versions()).toMatchObject([
    { name: 'Contract 2030', effectiveFrom: '2030-03-01', effectiveTo: null, periods: [night] },
    { name: 'Contract', effectiveFrom: '2025-01-01', effectiveTo: '2030-03-01', periods: [night] },
  ]);

  await section.getByRole('button', { name: 'Actions for Contract 2030' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog');
  const button = dialog.getByRole('button', { name: 'Delete tariff' });
  expect(await button.isDisabled()).toBe(true);
  await dialog.getByRole('textbox').fill('Contract 2030');
  await checkAccessibility(page);
  await button.click();
  await section.getByText('No tariff from 1 Mar 2030: energy isn’t priced.').waitFor();
  expect((await versions()).map(({ name }) => name)).toEqual(['Contract']);
  expect(problems).toEqual([]);
});

it('a name of 200 letters without a space is read whole at 390 px, where it is to be typed too', async () => {
  await using opened = await stage.signedIn({ viewport: { width: 390, height: 844 } });
  const { page } = opened;
  const municipalityId = await createMunicipality(page, 'Long names');
  const name = 'Gewerbestrom'.repeat(17).slice(0, 200);
  const tariff = { municipalityId, name, currency: 'EUR', effectiveFrom: '2025-01-01', defaultRatePerKwh: 0.3 };
  const id = await create(page, '/api/admin/rates/tariffs', tariff);
  const isWithin = (locator: Locator) =>
    locator.evaluate((node: { scrollWidth: number; clientWidth: number }) => node.scrollWidth <= node.clientWidth);

  await page.goto(`/settings/rates/new?municipality=${municipalityId}&copy=${id}`);
  await page.getByText(`End “${name}”`).waitFor();
  expect(await isWithin(page.getByRole('main').locator('form').first())).toBe(true);
  await page.goto('/settings/rates');
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete tariff' });
  await dialog.waitFor();
  expect(await isWithin(dialog)).toBe(true);
});

it('a new tariff that starts from one that is switched off has its prices and is active; deleting says where the costs are not known', async () => {
  await using opened = await stage.signedIn();
  const { page } = opened;
  const municipalityId = await createMunicipality(page, 'Copies');
  const off = { municipalityId, name: 'Switched off', currency: 'CHF', effectiveFrom: '2025-01-01', isActive: false };
  await create(page, '/api/admin/rates/tariffs', { ...off, defaultRatePerKwh: 0.3 });
  await page.goto(`/settings/rates/new?municipality=${municipalityId}`);
  const rate = page.getByLabel('Default rate', { exact: true }).first();
  const startFrom = async (answer: 'Keep' | 'Replace') => {
    await page.getByRole('combobox', { name: 'Start from' }).click();
    await page.getByRole('option', { name: 'Switched off' }).click();
    const question = page.getByRole('dialog', { name: 'Replace your entries?' });
    await question.getByRole('button', { name: answer }).click();
    await question.waitFor({ state: 'detached' });
  };
  await rate.fill('0.9');
  await startFrom('Keep');
  expect(await rate.inputValue()).toBe('0.9');
  await startFrom('Replace');
  expect(await rate.inputValue()).toBe('0.3');
  expect(await page.getByRole('switch', { name: 'Active' }).isChecked()).toBe(true);
  await page.getByLabel('Name', { exact: true }).fill('Copied');
  await page.getByLabel('First day').fill('2025-02-01');
  await page.getByRole('button', { name: 'Create tariff' }).click();

  const busy = { status: 503, json: { error: 'Too many previews are running; try again in a few seconds.' } };
  await page.route('**/tariffs/preview', (route) => route.fulfill(busy));
  await page.getByRole('button', { name: 'Actions for Copied' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByText('Couldn’t calculate the impact. Too many previews').waitFor();
});

it('a municipality with sites and a site with devices say what holds them before a name is typed to delete them', async () => {
  await using opened = await stage.signedIn({ viewport: { width: 390, height: 844 } });
  const { page, problems } = opened;
  const municipalityId = await createMunicipality(page, 'Held');
  const siteId = await create(page, '/api/admin/sites', { name: 'Holding works', municipalityId });
  await create(page, '/api/admin/sites', { name: 'Holding depot', municipalityId });
  await create(page, '/api/admin/devices', { siteId, name: 'Meter', externalId: 'holding' });
  await page.goto('/settings/rates');
  await page.getByRole('button', { name: 'Actions for Held' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('It still has 2 sites. Move or delete them first.').waitFor();
  expect(await dialog.getByRole('textbox').count()).toBe(0);
  expect(await dialog.getByRole('listitem').allInnerTexts()).toEqual(['Holding depot', 'Holding works']);
  await checkAccessibility(page);
  await dialog.getByRole('link', { name: 'Holding works' }).click();
  await page.getByRole('heading', { level: 1, name: 'Holding works' }).waitFor();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Actions for Holding works' }).click();
  await page.getByRole('menuitem', { name: 'Delete site' }).click();
  await dialog.getByText('It still has a device. Move or delete it first.').waitFor();
  expect(await dialog.getByRole('textbox').count()).toBe(0);
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  expect(problems).toEqual([]);
});

it('a page with changes is not left in silence', async () => {
  await using opened = await stage.signedIn();
  const { page } = opened;
  const municipalityId = await createMunicipality(page, 'Unsaved');
  await page.goto(`/settings/rates/new?municipality=${municipalityId}`);
  await page.getByLabel('Name', { exact: true }).fill('Half done');
  await page.getByRole('link', { name: 'Overview', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
  await dialog.waitFor();
  await checkAccessibility(page);
  await dialog.getByRole('button', { name: 'Keep editing' }).click();
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Half done');
  await page.getByRole('link', { name: 'Overview', exact: true }).click();
  await dialog.getByRole('button', { name: 'Leave without saving' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
});

it('form entries survive if someone else deletes the tariff: saving reports that it does not exist', async () => {
  await using opened = await stage.signedIn();
  const { page } = opened;
  const municipalityId = await createMunicipality(page, 'Gone');
  const tariff = { municipalityId, name: 'Gone', currency: 'EUR', effectiveFrom: '2030-01-01', defaultRatePerKwh: 0.3 };
  const id = await create(page, '/api/admin/rates/tariffs', tariff);
  await page.clock.install();
  await page.goto(`/settings/rates/${id}`);
  await page.getByLabel('Fixed charge per month').fill('12.34');
  await page.request.delete(`/api/admin/rates/tariffs/${id}`);
  await page.clock.fastForward(61_000);
  const read = page.waitForResponse((response) => response.url().endsWith('/api/rates'));
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))");
  await (await read).finished();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('This tariff does not exist.').waitFor();
  expect(await page.getByLabel('Fixed charge per month').inputValue()).toBe('12.34');
});

it('an error of the portal is shown at its field: two active tariffs cannot start on one day', async () => {
  await using opened = await stage.signedIn();
  const { page } = opened;
  const municipalityId = await createMunicipality(page, 'Twice');
  const tariff = {
    municipalityId,
    name: 'First',
    currency: 'EUR',
    effectiveFrom: '2026-01-01',
    defaultRatePerKwh: 0.3,
  };
  await create(page, '/api/admin/rates/tariffs', tariff);
  await page.goto(`/settings/rates/new?municipality=${municipalityId}`);
  await page.getByLabel('Name', { exact: true }).fill('Second');
  await page.getByLabel('Default rate', { exact: true }).first().fill('0.2');
  await page.getByLabel('First day').fill('2026-01-01');
  await page.getByRole('button', { name: 'Create tariff' }).click();
  await page.getByText(/^Another active tariff of the municipality starts on 2026-01-01/).waitFor();
  expect(await page.evaluate('document.activeElement?.type')).toBe('date');
});

it('in German a comma precedes the decimals, and money follows the German format', async () => {
  await using opened = await stage.signedIn({ locale: 'de-DE' });
  const { page, problems } = opened;
  const municipalityId = await createMunicipality(page, 'Komma');
  await page.goto(`/settings/rates/new?municipality=${municipalityId}`);
  await page.getByLabel('Name', { exact: true }).fill('Komma');
  await page.getByLabel('Standardpreis', { exact: true }).first().fill('0,2875');
  await calculate(page, '2,5', '2026-01-10', { power: 'Last', from: 'Von', to: 'Bis einschließlich', do: 'Berechnen' });
  await page.getByRole('row', { name: /^Summe.*17,25/ }).waitFor();
  await checkAccessibility(page);
  await page.getByRole('button', { name: 'Tarif anlegen' }).click();
  await page.getByRole('link', { name: 'Komma', exact: true }).waitFor();
  await page.getByText(/^0,2875.€\/kWh$/).waitFor();
  expect(problems).toEqual([]);
});

it('a plain user reads tariffs, sorts many and calculates with them, but changes none', async () => {
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  const municipalityId = await createMunicipality(page, 'Readers');
  const night = { name: 'Night', daysOfWeek: 127, startTime: '22:00', endTime: '06:00', ratePerKwh: 0.1 };
  const terms = { currency: 'EUR', defaultRatePerKwh: 0.3, periods: [night] };
  const tariff = { ...terms, municipalityId, name: 'To be read', effectiveFrom: '2025-01-01' };
  const id = await create(page, '/api/admin/rates/tariffs', tariff);
  for (const name of ['A', 'B', 'C', 'D', 'E', 'F']) await createMunicipality(page, `${name} of many`);
  const far = { name: 'Far', timeZone: 'Pacific/Auckland' };
  await create(page, '/api/admin/rates/municipalities', far);
  const reader = { email: 'reader@example.com', displayName: 'Reader', password: 'Reader-Pass-1' };
  await create(page, '/api/users', reader);
  await signIn(page, reader);
  await page.goto('/settings/rates');
  await page.getByRole('link', { name: 'To be read' }).waitFor();
  expect(await page.getByRole('button', { name: 'New municipality' }).count()).toBe(0);
  expect(await page.getByRole('link', { name: /New tariff/ }).count()).toBe(0);
  await checkAccessibility(page);
  const listed = page.getByRole('heading', { level: 3 });
  const usual = await listed.allTextContents();
  for (const [order, first] of [
    ['Time zone, descending', far.name],
    ['Municipality, descending', usual.toSorted((a, b) => b.localeCompare(a, 'en'))[0] ?? ''],
    ['Default order', usual[0] ?? ''],
  ] as const) {
    await page.getByRole('combobox', { name: 'Sort by' }).selectOption(order);
    await listed.first().getByText(first, { exact: true }).waitFor();
  }
  await page.getByRole('link', { name: 'To be read' }).click();
  await page.getByRole('heading', { level: 1, name: 'To be read' }).waitFor();
  expect(await page.getByRole('grid').count()).toBe(0);
  await page.getByText('Mon–Sun 22:00–06:00').waitFor();
  await calculate(page, '4', '2026-03-28');
  await page.getByRole('row', { name: /^Total.*€22.40/ }).waitFor();
  await checkAccessibility(page);

  await page.clock.install();
  await page.reload();
  await page.getByText('€0.10/kWh').first().waitFor();
  await using other = await stage.signedIn();
  const dearer = { ...tariff, defaultRatePerKwh: 0.4, periods: [{ ...night, ratePerKwh: 0.2 }] };
  await other.page.request.put(`/api/admin/rates/tariffs/${id}`, { data: dearer });
  // A user who returns to the page sees what is stored by then.
  await page.clock.fastForward(61_000);
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))");
  await page.getByText('€0.40/kWh').first().waitFor();
  await page.getByText('€0.20/kWh').first().waitFor();
  await other.page.request.delete(`/api/admin/rates/tariffs/${id}`);
  await page.clock.fastForward(61_000);
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))");
  await page.getByRole('status').getByText('This tariff was deleted.').waitFor();
  await page.getByText('€0.40/kWh').first().waitFor();
  await checkAccessibility(page);
  expect(problems).toEqual([]);
});

describe('a tariff of the past', () => {
  it('is saved after a look at the months that it changes, and nothing is lost without a question', async () => {
    await using opened = await stage.signedIn();
    const { page, problems } = opened;
    const municipalityId = await createMunicipality(page, 'Preview');
    const siteId = await create(page, '/api/admin/sites', { name: 'Preview site', municipalityId });
    await create(page, '/api/admin/devices', { name: 'Preview meter', externalId: 'preview-meter', siteId });
    const hour = 3_600_000;
    const start = Math.floor(Date.now() / hour) * hour - 30 * 24 * hour;
    const rows = Array.from({ length: 96 }, (_, at) => ({
      externalId: 'preview-meter',
      time: new Date(start + (at * hour) / 4).toISOString(),
      activePowerKw: 10,
    }));
    const delivered = await page.request.post('/api/ingest/measurements', { data: rows });
    expect(await delivered.json()).toMatchObject({ rejected: 0 });

    await page.goto('/settings/rates');
    await page.getByRole('link', { name: 'New tariff for Preview' }).click();
    await page.getByRole('combobox', { name: 'Start from' }).click();
    await page.getByRole('option', { name: 'Day and night' }).click();
    const night = page.getByRole('group', { name: 'Night' });
    await night.getByLabel('Rate', { exact: true }).fill('0.2');
    await page.getByLabel('Name', { exact: true }).first().fill('Two rates');
    await page.getByLabel('First day').fill('2020-01-01');
    await page.getByLabel('Default rate', { exact: true }).first().fill('0.4');
    await page.getByRole('link', { name: 'All rates' }).click();
    const leaving = page.getByRole('dialog', { name: 'Leave without saving?' });
    await leaving.getByRole('button', { name: 'Keep editing' }).click();
    await page.getByRole('button', { name: 'Create tariff' }).click();

    const changes = page.getByRole('dialog', { name: 'Cost impact' });
    await changes.getByText('would now be priced').waitFor();
    await checkAccessibility(page);
    const total = changes.getByRole('row', { name: /^Total/ });
    await total.waitFor();
    const text = (await total.innerText()).replaceAll(/\s+/g, ' ');
    await changes.getByRole('button', { name: 'Save anyway' }).click();
    await page.getByText('Tariff Two rates created').waitFor();
    const answer = await page.request.get('/api/dashboard/summary', {
      params: { fromDate: '2020-01-01', toDate: new Date(Date.now() + 40 * 24 * hour).toISOString().slice(0, 10) },
    });
    const { costs }: { costs: { total: number }[] } = await answer.json();
    expect(text).toContain(costs[0]?.total.toFixed(2));
    expect(problems).toEqual([]);
  });

  it('a price that becomes net has its months, though VAT makes up for it; by keyboard the focus goes back to "Save"', async () => {
    await using opened = await stage.signedIn({ viewport: { width: 390, height: 844 } });
    const { page, problems } = opened;
    const municipalityId = await createMunicipality(page, 'Net');
    const siteId = await create(page, '/api/admin/sites', { name: 'Net site', municipalityId });
    await create(page, '/api/admin/devices', { name: 'Net meter', externalId: 'net-meter', siteId });
    const rows = ['00:00', '00:15'].map((at) => ({
      externalId: 'net-meter',
      time: `2026-01-10T${at}:00Z`,
      activePowerKw: 400,
    }));
    await page.request.post('/api/ingest/measurements', { data: rows });
    const gross = {
      municipalityId,
      name: 'Gross',
      currency: 'EUR',
      effectiveFrom: '2026-01-01',
      effectiveTo: '2026-02-01',
    };
    const id = await create(page, '/api/admin/rates/tariffs', { ...gross, defaultRatePerKwh: 0.25 });

    await page.goto(`/settings/rates/${id}`);
    await page.getByLabel('Default rate', { exact: true }).fill('0.2');
    await page.getByLabel('VAT', { exact: true }).fill('25');
    await page.getByRole('button', { name: 'Save changes' }).press('Enter');
    const changes = page.getByRole('dialog', { name: 'Cost impact' });
    await changes.getByRole('row', { name: 'Jan 2026 €25.00 €25.00 €0.00' }).waitFor();
    const table = changes.getByRole('region', { name: 'Cost impact' });
    expect(
      await table.evaluate((node: { scrollWidth: number; clientWidth: number }) => node.scrollWidth - node.clientWidth),
    ).toBe(0);
    await page.keyboard.press('Escape');
    await changes.waitFor({ state: 'hidden' });
    await expect.poll(() => page.evaluate('document.activeElement?.textContent')).toBe('Save changes');
    expect(problems).toEqual([]);
  });

  it('a version saved by someone else is shown with formatted dates and amounts', async () => {
    await using opened = await stage.signedIn({ locale: 'de-DE' });
    const { page } = opened;
    const municipalityId = await createMunicipality(page, 'Theirs');
    const seen = {
      municipalityId,
      name: 'Seen',
      currency: 'EUR',
      effectiveFrom: '2030-01-01',
      defaultRatePerKwh: 0.25,
    };
    const id = await create(page, '/api/admin/rates/tariffs', seen);
    await page.goto(`/settings/rates/${id}`);
    await page.getByLabel('Grundpreis pro Monat').fill('9');
    const theirs = {
      ...seen,
      effectiveTo: '2030-03-01',
      fixedChargePerMonth: 12.5,
      vatPercent: 7.7,
      exportRatePerKwh: 0.08,
    };
    await page.request.put(`/api/admin/rates/tariffs/${id}`, { data: theirs });
    await page.getByRole('button', { name: 'Änderungen speichern' }).click();
    const conflict = page.getByRole('dialog', { name: 'Von jemand anderem geändert' });
    await conflict.waitFor();
    const cells = (await conflict.getByRole('row').allInnerTexts()).map((row) => row.replaceAll(/\s+/g, ' '));
    expect(cells.slice(1)).toEqual([
      'Letzter Tag — 28.02.2030',
      'Grundpreis pro Monat 9,00 € 12,50 €',
      'Mehrwertsteuer 0 % 7,7 %',
      'Einspeisepreis — 0,08 €/kWh',
    ]);
  });

  it('Escape asks before a dialog with a typed form is closed', async () => {
    await using opened = await stage.signedIn();
    const { page } = opened;
    await page.goto('/settings/rates');
    await page.getByRole('button', { name: 'New municipality' }).click();
    const dialog = page.getByRole('dialog', { name: 'New municipality' });
    await dialog.getByLabel('Municipality name').fill('Typed');
    await page.keyboard.press('Escape');
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await question.waitFor({ state: 'hidden' });
    expect(await dialog.getByLabel('Municipality name').inputValue()).toBe('Typed');
    await page.keyboard.press('Escape');
    await question.getByRole('button', { name: 'Leave without saving' }).click();
    await dialog.waitFor({ state: 'hidden' });
  });
});
