import { expect, test } from 'vitest';
import { localTimeOfSerial } from './serial-time.ts';
import { packParts, tinyParts } from './tiny-workbook.ts';
import { openWorkbook } from './workbook.ts';

const sheet = 'xl/worksheets/sheet1.xml';
const book = 'xl/workbook.xml';
const styles = 'xl/styles.xml';
const strings = 'xl/sharedStrings.xml';
const bookRelationships = 'xl/_rels/workbook.xml.rels';
const types = '[Content_Types].xml';

/** The tiny workbook with one place of one part changed. */
function changed(part: string, from: string, to: string): Buffer {
  const before = tinyParts[part] ?? '';
  if (!before.includes(from)) throw new Error(`${part} has no ${from} to be changed.`);
  return packParts({ ...tinyParts, [part]: before.replace(from, () => to) });
}

test('a workbook is read: sheets, widths, frozen header, filter, formats, texts, formulas, properties', () => {
  const { sheets, properties, definedNames } = openWorkbook(packParts(tinyParts));
  expect(sheets.map(({ name }) => name)).toEqual(["It's raw", 'About']);
  const [raw, about] = sheets;
  expect(raw).toMatchObject({
    columnWidths: [21.5, 12, 12, null],
    frozenRows: 1,
    frozenColumns: 0,
    autoFilter: 'A1:D3',
    isSelected: true,
    isHidden: false,
    charts: [],
  });
  expect(raw?.rows.map((row) => row.map((cell) => cell?.value))).toEqual([
    ['Time (Europe/Berlin)', 'Device', 'Power', 'Alarm'],
    [45382.104168090278, '=1+1 & 😀 مرحبا', -12.5, true],
    [45657, ' a  b ', 1500],
    [undefined, undefined, 1487.5],
  ]);
  expect(raw?.rows[0]?.[0]).toMatchObject({ isBold: true, isText: true, numberFormat: 'General', formula: null });
  expect(raw?.rows[1]?.[0]).toMatchObject({ isBold: false, isText: false, numberFormat: 'yyyy\\-mm\\-dd\\ hh:mm:ss' });
  expect(raw?.rows[1]?.[1]).toMatchObject({ isText: true, formula: null });
  expect(raw?.rows[3]?.[2]).toMatchObject({ isText: false, formula: 'SUM(C2:C3)', numberFormat: '#,##0.00" kW"' });
  expect(about?.rows).toEqual([[], [null, expect.objectContaining({ value: 'Made by hand' })]]);
  expect(definedNames).toEqual([
    { name: '_xlnm._FilterDatabase', sheet: "It's raw", refersTo: "'It''s raw'!$A$1:$D$3" },
  ]);
  expect(Object.fromEntries(properties)).toEqual({ title: 'Raw readings', created: '2026-01-02T03:04:05Z' });
});

test('a text decodes _xHHHH_, and may be 32,767 UTF-16 units long', () => {
  const text = (written: string) =>
    openWorkbook(changed(sheet, '=1+1 &amp; 😀 مرحبا', written)).sheets[0]?.rows[1]?.[1]?.value;
  expect(text('a_x000D_b_x005F_x0041_')).toBe('a\rb_x0041_');
  expect(text('_xD83D__xDE00_')).toBe('😀');
  expect(text('x'.repeat(32_767))).toHaveLength(32_767);
  expect(() => text('x'.repeat(32_768))).toThrow(/B2, has 32768 UTF-16 units/u);
  expect(() => text('_xD83D_')).toThrow(/half of a surrogate pair/u);
});

test.each<[string, string, string, string, RegExp]>([
  ['XML that is not well-formed', sheet, '</is>', '', /sheet1\.xml is not well-formed/u],
  ['a control character', sheet, 'Power', 'P\u0001wer', /disallowed character/u],
  ['a reference to a control character', sheet, 'Power', 'P&#11;wer', /not well-formed/u],
  ['a character that is none', sheet, 'Power', 'P\uFFFFwer', /disallowed character/u],
  ['a document type', styles, '<styleSheet', '<!DOCTYPE x><styleSheet', /document type/u],
  ['an entity that nobody knows', book, 'About', '&nbsp;', /undefined entity/u],
  ['a part without a type', types, 'Extension="rels"', 'Extension="rel"', /no type for _rels/u],
  ['a type of a part that is missing', types, '/xl/styles.xml', '/xl/styles2.xml', /styles2\.xml, which is not there/u],
  ['a part of another type', types, 'styles+xml', 'theme+xml', /styles\.xml, is of the type/u],
  ['a target that is missing', bookRelationships, 'sheet2.xml', 'sheet3.xml', /sheet3\.xml, which is not there/u],
  ['the same relationship twice', bookRelationships, 'rId2', 'rId1', /Id rId1 that is no name, or is there twice/u],
  ['a relationship that is missing', book, 'r:id="rId2"', 'r:id="rId9"', /rId9, which it does not have/u],
  ['a sheet that is not listed', book, '<sheet name="About" sheetId="2" r:id="rId2"/>', '', /does not name it/u],
  ['a sheet that is listed twice', book, 'r:id="rId2"', 'r:id="rId1"', /does not name it/u],
  ['the same sheet number twice', book, 'sheetId="2"', 'sheetId="1"', /sheetId 1/u],
  ['a sheet name of 32 characters', book, 'About', 'A'.repeat(32), /32 UTF-16 units/u],
  ['a sheet without a name', book, 'About', '', /0 UTF-16 units/u],
  ['a sheet name with a slash', book, 'About', 'a/b', /does not take/u],
  ['a sheet name that ends with an apostrophe', book, 'About', "About'", /does not take/u],
  ['a sheet called History', book, 'About', 'hiStory', /History/u],
  ['two sheets whose names differ in case', book, 'About', 'IT&apos;S RAW', /two sheets/u],
  ['a row before another', sheet, '<row r="3">', '<row r="2">', /row r="2" after row 2/u],
  ['a row without its number', sheet, '<row r="3">', '<row>', /ascending/u],
  ['a row beyond the last', sheet, '<row r="4">', '<row r="1048577">', /ascending numbers to 1048576/u],
  ['a cell without its place', sheet, '<c r="C3"', '<c', /no cell of A1:XFD1048576/u],
  ['a cell beyond the last column', sheet, 'r="C3"', 'r="XFE3"', /"XFE3" is no cell/u],
  ['a cell in another row', sheet, 'r="C3"', 'r="C4"', /a cell C4 after 2 columns/u],
  ['a cell before another', sheet, 'r="C3"', 'r="B3"', /a cell B3 after 2 columns/u],
  ['a style that is missing', sheet, 's="3"', 's="4"', /the style 4, there are 4/u],
  ['a number format that is missing', styles, 'xf numFmtId="165"', 'xf numFmtId="166"', /numFmtId 166/u],
  ['a number format with an open quote', styles, ' kW&quot;', ' kW', /that is no format/u],
  ['a font that is missing', styles, 'fontId="1"', 'fontId="2"', /fontId 2, which is not there/u],
  ['a count of styles that is wrong', styles, 'cellXfs count="4"', 'cellXfs count="5"', /announces 5/u],
  ['lists of styles in another order', styles, '<numFmts', '<cellStyles/><numFmts', /numFmts after cellStyles/u],
  ['a shared text that is missing', sheet, '<v>1</v></c><c r="C1"', '<v>2</v></c><c r="C1"', /shared text 2/u],
  ['a wrong count of shared texts', strings, 'uniqueCount="2"', 'uniqueCount="3"', /announces 3/u],
  ['a wrong count of references', strings, ' count="2"', ' count="3"', /announces 3 references/u],
  ['white space that readers drop', sheet, ' xml:space="preserve"', '', /white space at an end/u],
  ['NaN', sheet, '-12.5', 'NaN', /"NaN", which is none/u],
  ['Infinity', sheet, '1.5E3', '1e999', /"1e999", which is none/u],
  ['a number with a comma', sheet, '-12.5', '-12,5', /"-12,5", which is none/u],
  ['an error as a value', sheet, 't="b"><v>1', 't="e"><v>#N/A', /of the type e/u],
  ['a boolean that is none', sheet, 't="b"><v>1', 't="b"><v>true', /"true" of the type b/u],
  ['a value before its formula', sheet, '<f>SUM(C2:C3)</f><v>1487.5</v>', '<v>1</v><f>1</f>', /f after v in its c/u],
  ['a formula with its equals sign', sheet, '<f>SUM', '<f>=SUM', /has the formula "=SUM/u],
  ['a cell with an unknown attribute', sheet, '<c r="C3"', '<c q="1" r="C3"', /a c with q/u],
  ['text between cells', sheet, '</c><c r="B3"', '</c>x<c r="B3"', /the text "x" between elements/u],
  [
    'the filter before the cells',
    sheet,
    '<sheetData>',
    '<autoFilter ref="A1:D3"/><sheetData>',
    /sheetData after autoFilter/u,
  ],
  ['two lists of columns', sheet, '<sheetData>', '<cols><col min="9" max="9"/></cols><sheetData>', /two cols/u],
  ['columns that overlap', sheet, 'min="2"', 'min="1"', /columns 1 to 3 after column 1/u],
  ['a column that is too wide', sheet, 'width="12"', 'width="256"', /255 is the most/u],
  ['cells beyond the dimension', sheet, 'A1:D4', 'A1:D3', /cells beyond it/u],
  ['a filter beyond the data', sheet, 'autoFilter ref="A1:D3"', 'autoFilter ref="A1:D5"', /beyond its data/u],
  [
    'a filter that is not that of its name',
    sheet,
    'autoFilter ref="A1:D3"',
    'autoFilter ref="A1:C3"',
    /filters A1:C3/u,
  ],
  ['a filter without its name', book, 'name="_xlnm._FilterDatabase"', 'name="other"', /undefined, the sheet/u],
  ['a name of a sheet that is missing', book, 'localSheetId="0"', 'localSheetId="2"', /of sheet 2/u],
  ['a pane that is not frozen', sheet, ' state="frozen"', '', /is to be frozen/u],
  ['a pane that scrolls its header', sheet, 'topLeftCell="A2"', 'topLeftCell="A1"', /which is in the frozen part/u],
  ['another active pane', sheet, 'activePane="bottomLeft"', 'activePane="topRight"', /not bottomLeft/u],
  ['a window that is missing', sheet, 'workbookViewId="0"', 'workbookViewId="1"', /the workbook has 1/u],
  ['another tab selected than shown', book, 'activeTab="0"', 'activeTab="1"', /is selected/u],
  ['days since 1904', book, '<bookViews>', '<workbookPr date1904="1"/><bookViews>', /since 1904/u],
  ['a time of making that is none', 'docProps/core.xml', '03:04:05Z', '03:64:05Z', /no time/u],
  ['a time without its type', 'docProps/core.xml', ' xsi:type="dcterms:W3CDTF"', '', /without its type/u],
])('a workbook with %s is rejected', (_, part, from, to, message) => {
  expect(() => openWorkbook(changed(part, from, to))).toThrow(message);
});

test('a part without a relationship is rejected', () => {
  expect(() => openWorkbook(packParts({ ...tinyParts, 'xl/theme/theme1.xml': '<a/>' }))).toThrow(
    'No relationship leads to xl/theme/theme1.xml.',
  );
});

test('a part that is not in UTF-8, or claims another encoding, is rejected', () => {
  const latin = Buffer.from((tinyParts[sheet] ?? '').replace('Power', 'Größe'), 'latin1');
  expect(() => openWorkbook(packParts({ ...tinyParts, [sheet]: latin }))).toThrow(`${sheet} is not UTF-8.`);
  const head = '<?xml version="1.0" encoding="UTF-16"?>';
  expect(() => openWorkbook(changed(sheet, '<worksheet', `${head}<worksheet`))).toThrow(/is in UTF-16/u);
});

test('a chart is read with the ranges that it draws, which must be inside the data', () => {
  const withChart = (range: string, drawing = 'r:id="rId1"') => {
    const main = 'http://schemas.openxmlformats.org/drawingml/2006';
    const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
    const links = (kind: string, target: string) =>
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${office}/${kind}" Target="${target}"/></Relationships>`;
    const overrides = ['drawings/drawing1.xml drawing', 'charts/chart1.xml drawingml.chart'].map((entry) => {
      const [name, type] = entry.split(' ');
      return `<Override PartName="/xl/${name}" ContentType="application/vnd.openxmlformats-officedocument.${type}+xml"/>`;
    });
    return packParts({
      ...tinyParts,
      [types]: (tinyParts[types] ?? '').replace('</Types>', `${overrides.join('')}</Types>`),
      [sheet]: (tinyParts[sheet] ?? '').replace(
        '</worksheet>',
        `<drawing xmlns:r="${office}" ${drawing}/></worksheet>`,
      ),
      'xl/worksheets/_rels/sheet1.xml.rels': links('drawing', '../drawings/drawing1.xml'),
      'xl/drawings/drawing1.xml': `<d:wsDr xmlns:d="${main}/spreadsheetDrawing"><c:chart xmlns:c="${main}/chart" xmlns:r="${office}" r:id="rId1"/></d:wsDr>`,
      'xl/drawings/_rels/drawing1.xml.rels': links('chart', '/xl/charts/chart1.xml'),
      'xl/charts/chart1.xml': `<c:chartSpace xmlns:c="${main}/chart"><c:lineChart><c:f>${range}</c:f></c:lineChart></c:chartSpace>`,
    });
  };
  const range = "'It''s raw'!$C$2:$C$3";
  expect(openWorkbook(withChart(range)).sheets[0]?.charts).toEqual([
    { part: 'xl/charts/chart1.xml', kinds: ['lineChart'], ranges: [range] },
  ]);
  expect(() => openWorkbook(withChart("'It''s raw'!$C$2:$C$5"))).toThrow(/beyond the data/u);
  expect(() => openWorkbook(withChart('Raw!$C$2:$C$3'))).toThrow(/beyond the data/u);
  expect(() => openWorkbook(withChart('C2:C3'))).toThrow(/no range of a sheet/u);
  expect(() => openWorkbook(withChart(range, ''))).toThrow(/rId1 \(drawing\) and does not name it/u);
});

test('a serial number is a local time of the 1900 date system', () => {
  expect(localTimeOfSerial(61)).toBe('1900-03-01T00:00:00');
  expect(localTimeOfSerial(45382.104168090278)).toBe('2024-03-31T02:30:00.123');
  expect(localTimeOfSerial(45657 + 86_399 / 86_400)).toBe('2024-12-31T23:59:59');
  expect(localTimeOfSerial(2_958_465)).toBe('9999-12-31T00:00:00');
  expect(() => localTimeOfSerial(60)).toThrow(/no serial number/u);
  expect(() => localTimeOfSerial(Number.NaN)).toThrow(/no serial number/u);
});
