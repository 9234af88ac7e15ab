import { type TinyEntry, tinyZip } from './tiny-zip.ts';

const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const core = 'http://schemas.openxmlformats.org/package/2006/metadata/core-properties';

/** The parts of a workbook with a bit of everything that an export has, written by hand to be damaged by tests. */
export const tinyParts: Readonly<Record<string, string>> = {
  '[Content_Types].xml': `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/><Override PartName="/xl/worksheets/sheet2.xml" ContentType="${types}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/><Override PartName="/xl/sharedStrings.xml" ContentType="${types}.sharedStrings+xml"/><Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>`,
  '_rels/.rels': relationships(
    `<Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/>`,
    `<Relationship Id="rId2" Type="${core.replace('metadata/', 'relationships/metadata/')}" Target="docProps/core.xml"/>`,
  ),
  'docProps/core.xml': `<cp:coreProperties xmlns:cp="${core}" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>Raw readings</dc:title><dcterms:created xsi:type="dcterms:W3CDTF">2026-01-02T03:04:05Z</dcterms:created></cp:coreProperties>`,
  'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><bookViews><workbookView activeTab="0"/></bookViews><sheets><sheet name="It's raw" sheetId="1" r:id="rId1"/><sheet name="About" sheetId="2" r:id="rId2"/></sheets><definedNames><definedName name="_xlnm._FilterDatabase" localSheetId="0" hidden="1">'It''s raw'!$A$1:$D$3</definedName></definedNames></workbook>`,
  'xl/_rels/workbook.xml.rels': relationships(
    `<Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/>`,
    `<Relationship Id="rId2" Type="${office}/worksheet" Target="/xl/worksheets/sheet2.xml"/>`,
    `<Relationship Id="rId3" Type="${office}/styles" Target="styles.xml"/>`,
    `<Relationship Id="rId4" Type="${office}/sharedStrings" Target="sharedStrings.xml"/>`,
  ),
  'xl/styles.xml': `<styleSheet xmlns="${main}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/><numFmt numFmtId="165" formatCode="#,##0.00&quot; kW&quot;"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`,
  'xl/sharedStrings.xml': `<sst xmlns="${main}" count="2" uniqueCount="2"><si><t>Time (Europe/Berlin)</t></si><si><t>Device</t></si></sst>`,
  'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><dimension ref="A1:D4"/><sheetViews><sheetView tabSelected="1" workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/><selection pane="bottomLeft" activeCell="A2" sqref="A2"/></sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/><cols><col min="1" max="1" width="21.5" customWidth="1"/><col min="2" max="3" width="12" customWidth="1"/></cols><sheetData><row r="1"><c r="A1" s="1" t="s"><v>0</v></c><c r="B1" s="1" t="s"><v>1</v></c><c r="C1" s="1" t="inlineStr"><is><t>Power</t></is></c><c r="D1" s="1" t="inlineStr"><is><t>Alarm</t></is></c></row><row r="2"><c r="A2" s="2"><v>45382.104168090278</v></c><c r="B2" t="inlineStr"><is><t>=1+1 &amp; 😀 مرحبا</t></is></c><c r="C2" s="3"><v>-12.5</v></c><c r="D2" t="b"><v>1</v></c></row><row r="3"><c r="A3" s="2"><v>45657</v></c><c r="B3" t="inlineStr"><is><t xml:space="preserve"> a  b </t></is></c><c r="C3" s="3"><v>1.5E3</v></c></row><row r="4"><c r="C4" s="3"><f>SUM(C2:C3)</f><v>1487.5</v></c></row></sheetData><autoFilter ref="A1:D3"/><pageMargins left="0.7" right="0.7" top="0.75" bottom="0.75" header="0.3" footer="0.3"/></worksheet>`,
  'xl/worksheets/sheet2.xml': `<worksheet xmlns="${main}"><sheetData><row r="2"><c r="B2" t="inlineStr"><is><t>Made by hand</t></is></c></row></sheetData></worksheet>`,
};

/** The file of these parts. */
export const packParts = (parts: Readonly<Record<string, string | Buffer>>): Buffer =>
  tinyZip(Object.entries(parts).map(([name, content]): TinyEntry => ({ name, content })));

function relationships(...items: readonly string[]): string {
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${items.join('')}</Relationships>`;
}
