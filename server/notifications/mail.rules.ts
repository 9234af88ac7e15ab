import { iconColors } from '../http/brand-icon.rules.ts';

/** The content of a mail, in the language of its reader. */
export interface MailContent {
  language: string;
  subject: string;
  heading: string;
  paragraphs: readonly string[];
  items: readonly { text: string; detail: string; url: string | null }[];
  /** The sections of a report; they stand between the paragraphs and the items. */
  sections?: readonly MailSection[];
  action: { label: string; url: string } | null;
  /** Why the recipient gets this mail. */
  reason: string;
}

export interface MailSection {
  heading: string;
  paragraphs: readonly string[];
  table: { head: readonly string[]; rows: readonly (readonly string[])[] } | null;
  /** An attached picture, identified by its Content-ID. */
  picture: { cid: string; alt: string } | null;
}

export interface MailBrand {
  applicationName: string;
  primaryColor: string;
  footerText: string;
}

/** Names come from people and devices: none of them may begin a header line. */
export const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string => oneLine(text).replaceAll(/[&<>"']/g, (letter) => escapes[letter] ?? '');

/** The text and the HTML of a mail. All texts are escaped; pictures are attached, and there are no scripts or foreign URLs. */
export function renderMail(
  { language, subject, heading, paragraphs, items, sections = [], action, reason }: MailContent,
  { applicationName, primaryColor, footerText }: MailBrand,
): { subject: string; text: string; html: string } {
  const { ground, ink } = iconColors(primaryColor);
  const foot = [reason, footerText].map(oneLine).filter((line) => line !== '');
  const listed = items.map(({ text, detail, url }) => [
    `- ${oneLine(text)}`,
    `  ${oneLine(detail)}`,
    ...(url === null ? [] : [`  ${url}`]),
  ]);
  const text = [
    oneLine(heading),
    ...paragraphs.map(oneLine),
    ...sections.flatMap(sectionText),
    ...listed.map((lines) => lines.join('\n')),
    ...(action === null ? [] : [`${oneLine(action.label)}:\n${action.url}`]),
    ['-- ', ...foot].join('\n'),
  ].join('\n\n');
  const row = ({ text: title, detail, url }: MailContent['items'][number]) =>
    `<tr><td style="padding:8px 0;border-bottom:1px solid #dee2e6">${
      url === null ? escaped(title) : `<a href="${escaped(url)}" style="color:#212529">${escaped(title)}</a>`
    }<br><span style="color:#5c636a;font-size:13px">${escaped(detail)}</span></td></tr>`;
  const html = `<!doctype html>
<html lang="${escaped(language)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(subject)}</title></head>
<body style="margin:0;background:#f1f3f5;color:#212529;font:16px/1.5 system-ui,'Segoe UI',Arial,sans-serif">
<table role="presentation" width="100%" style="max-width:600px;margin:0 auto;background:#ffffff;border-collapse:collapse">
<tr><td style="padding:16px 24px;background:${escaped(ground)};color:${escaped(ink)};font-weight:bold">${escaped(applicationName)}</td></tr>
<tr><td style="padding:24px">
<h1 style="margin:0 0 12px;font-size:20px">${escaped(heading)}</h1>
${paragraphs.map((paragraph) => `<p style="margin:0 0 12px">${escaped(paragraph)}</p>`).join('\n')}
${sections.map(sectionHtml).join('\n')}
${items.length === 0 ? '' : `<table role="presentation" width="100%" style="border-collapse:collapse">\n${items.map(row).join('\n')}\n</table>`}
${
  action === null
    ? ''
    : `<p style="margin:20px 0"><a href="${escaped(action.url)}" style="display:inline-block;padding:10px 18px;border-radius:4px;background:${escaped(ground)};color:${escaped(ink)};text-decoration:none">${escaped(action.label)}</a></p>`
}
</td></tr>
<tr><td style="padding:16px 24px;color:#5c636a;font-size:13px">${foot.map(escaped).join('<br>')}</td></tr>
</table>
</body>
</html>`;
  return { subject: oneLine(subject), text, html };
}

const sectionText = ({ heading, paragraphs, table }: MailSection): string[] => [
  [heading, ...paragraphs]
    .filter((line) => line !== '')
    .map(oneLine)
    .join('\n'),
  ...(table === null ? [] : [[table.head, ...table.rows].map((row) => row.map(oneLine).join(' | ')).join('\n')]),
];

function sectionHtml({ heading, paragraphs, table, picture }: MailSection): string {
  const cell = (tag: 'th' | 'td', text: string, column: number) =>
    `<${tag} style="padding:4px 6px;border-bottom:1px solid #dee2e6;text-align:${column === 0 ? 'left' : 'right'};vertical-align:top">${escaped(text)}</${tag}>`;
  const row = (tag: 'th' | 'td', cells: readonly string[]) =>
    `<tr>${cells.map((text, column) => cell(tag, text, column)).join('')}</tr>`;
  return [
    ...(heading === '' ? [] : [`<h2 style="margin:20px 0 6px;font-size:16px">${escaped(heading)}</h2>`]),
    ...paragraphs.map((paragraph) => `<p style="margin:0 0 6px">${escaped(paragraph)}</p>`),
    ...(picture === null
      ? []
      : [
          `<img src="cid:${escaped(picture.cid)}" alt="${escaped(picture.alt)}" width="552" style="width:100%;max-width:552px;height:auto">`,
        ]),
    ...(table === null
      ? []
      : [
          `<table width="100%" style="border-collapse:collapse;font-size:13px">${row('th', table.head)}${table.rows.map((cells) => row('td', cells)).join('')}</table>`,
        ]),
  ].join('\n');
}
