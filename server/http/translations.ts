import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Language, Templates } from '../../shared/messages.ts';

const folder = join(import.meta.dirname, '../../messages');
const shape = z.record(z.string(), z.string());
const known = new Map<string, Templates>();

/**
 * The texts of `messages/<language>/<name>.json`. They are read on first use, because few portals need every language. English is
 * in the code, so it has no translations.
 */
export function translationsIn(
  language: Language,
  name: 'alarms' | 'errors' | 'exports' | 'mails' | 'starting',
): Templates {
  if (language === 'en') return {};
  const file = join(folder, language, `${name}.json`);
  const texts = known.get(file) ?? shape.parse(JSON.parse(readFileSync(file, 'utf8')));
  known.set(file, texts);
  return texts;
}
