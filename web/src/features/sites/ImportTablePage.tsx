import { Alert, Button, FileButton, Group, Textarea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconDownload, IconUpload } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
import { delimitedLine, NoTableError } from '../../lib/delimited.ts';
import { saveFile } from '../../lib/download.ts';
import { decodeText } from '../../lib/text-encoding.ts';
import { useFormat } from '../../lib/use-format.ts';
import { isOldWorkbook, isZip, maxWorkbookBytes, readWorkbook } from '../../lib/workbook.ts';
import { BackLink } from '../../ui/BackLink.tsx';
import { UnsavedGuard } from '../../ui/Dialog.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Panel } from '../../ui/Panel.tsx';
import classes from './ImportTablePage.module.css';
import { readSiteTable, type SiteTable, type SourceNames } from './site-table.ts';
import { TablePreview } from './TablePreview.tsx';
import { useSourceNames, useTableHeadings } from './use-table-headings.ts';

/** Creates many sites and devices from a table. The user pastes text or chooses a file, and can correct the text here. */
export function ImportTablePage() {
  const t = useTranslations('sites.import');
  const tPage = useTranslations('sites.page');
  const format = useFormat();
  const [text, setText] = useState('');
  const [settled] = useDebouncedValue(text, 400);
  const sourceNames = useSourceNames();
  const { decimalSeparator } = format;
  const table = useMemo(() => read(settled, decimalSeparator, sourceNames), [settled, decimalSeparator, sourceNames]);
  return (
    <>
      <BackLink to="/sites">{tPage('back')}</BackLink>
      <PageHeader title={t('title')} description={t('description')} />
      <div className={classes.sections}>
        <Panel>
          <p className={classes.hint}>{t('columns')}</p>
          <Source text={text} onChange={setText} />
        </Panel>
        {table === null ? (
          <Alert color="red">{t('notReadable')}</Alert>
        ) : (
          table.rows.length > 0 && <TablePreview table={table} isSettled={settled === text} />
        )}
      </div>
      <UnsavedGuard isDirty={text.trim() !== ''} />
    </>
  );
}

/** Null if the text is not a table. */
function read(text: string, decimalSeparator: string, sourceNames: SourceNames): SiteTable | null {
  try {
    return readSiteTable(text, decimalSeparator, sourceNames);
  } catch (error) {
    if (error instanceof NoTableError) return null;
    throw error;
  }
}

function Source({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  const t = useTranslations('sites.import');
  const tTerms = useTranslations('terms');
  const format = useFormat();
  const headings = useTableHeadings();
  const [problem, setProblem] = useState<string | null>(null);
  const [taken, setTaken] = useState(0);
  const take = async (file: File | null) => {
    if (file === null) return;
    setTaken(taken + 1);
    const { name, size } = file;
    if (size > maxWorkbookBytes) {
      setProblem(t('tooLarge', { name, size: format.bytes(size), max: format.bytes(maxWorkbookBytes) }));
      return;
    }
    const bytes = new Uint8Array(await file.arrayBuffer());
    if (isOldWorkbook(bytes)) {
      setProblem(t('oldExcel', { name }));
      return;
    }
    try {
      const isWorkbook = isZip(bytes);
      onChange(isWorkbook ? (await readWorkbook(bytes)).map(asLine).join('') : decodeText(bytes));
      setProblem(null);
    } catch (error) {
      if (!(error instanceof NoTableError)) throw error;
      setProblem(t('noTable', { name }));
    }
  };
  const saveExample = () => {
    const line = delimitedLine(Object.values(headings), format.decimalSeparator === ',' ? ';' : ',');
    // From the byte order mark Excel knows that the file is UTF-8.
    saveFile(new Blob(['\uFEFF', line], { type: 'text/csv' }), t('exampleName'));
  };
  return (
    <>
      <Textarea
        label={t('table')}
        placeholder={t('placeholder')}
        autosize
        minRows={4}
        maxRows={12}
        spellCheck={false}
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
        classNames={{ input: classes.text }}
      />
      <Group gap="xs" mt="sm">
        <FileButton onChange={(file) => void take(file)} accept=".csv,.tsv,.txt,.xlsx,.xlsm" key={taken}>
          {(props) => (
            <Button {...props} variant="default" leftSection={<IconUpload size={16} stroke={1.75} aria-hidden />}>
              {tTerms('chooseFile')}
            </Button>
          )}
        </FileButton>
        <Button
          variant="subtle"
          leftSection={<IconDownload size={16} stroke={1.75} aria-hidden />}
          onClick={saveExample}
        >
          {t('example')}
        </Button>
      </Group>
      {problem !== null && (
        <Alert color="red" mt="sm" role="alert">
          {problem}
        </Alert>
      )}
    </>
  );
}

/** In the format in which spreadsheets copy cells. */
const asLine = (cells: readonly string[]) =>
  `${cells.map((cell) => (/["\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join('\t')}\n`;
