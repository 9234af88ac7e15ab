import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { describe, expect, it } from 'vitest';
import { licenceProblems, namedPackages, packagesBehind } from '../../scripts/licences.mjs';
import { notePackages, noticesOf, problemOfLicence, readPackage } from '../../scripts/third-party.mjs';

const root = join(import.meta.dirname, '../..');

describe('only packages with a licence of the list are shipped', () => {
  it.each(['MIT', 'Apache-2.0', '(MPL-2.0 OR Apache-2.0)', 'MIT AND BSD-3-Clause'])('%s is allowed', (licence) => {
    expect(problemOfLicence('some-package', licence)).toBeUndefined();
  });

  it.each([
    'GPL-3.0-only',
    'MPL-2.0',
    'MIT AND GPL-2.0',
    'LGPL-3.0-or-later',
    'OFL-1.1',
    'mit',
    '',
    'SEE LICENSE IN x',
  ])('"%s" is not allowed, and the message names the package, the licence and what to do', (licence) => {
    const problem = problemOfLicence('some-package', licence);
    expect(problem).toContain('some-package');
    expect(problem).toContain(licence);
    expect(problem).toContain('scripts/third-party.mjs');
  });

  it('an exception applies only to its package', () => {
    expect(problemOfLicence('@img/sharp-libvips-linux-x64', 'LGPL-3.0-or-later')).toBeUndefined();
    expect(problemOfLicence('@img/other', 'LGPL-3.0-or-later')).toContain('@img/other');
    expect(problemOfLicence('@fontsource-variable/inter', 'OFL-1.1')).toBeUndefined();
  });

  const lock = {
    '': { name: 'portal' },
    'node_modules/kept': { license: 'MIT', dependencies: { planted: '1' }, optionalDependencies: { other: '1' } },
    'node_modules/other': { license: 'ISC' },
    'node_modules/kept/node_modules/planted': { license: 'GPL-3.0-only' },
    'node_modules/planted': { license: 'MIT' },
    'node_modules/tool': { license: 'MPL-2.0', dev: true },
  };

  it('reports a planted licence, also of a transitive package, at the place where it is installed', () => {
    const places = packagesBehind(lock, namedPackages([`import { a } from 'kept/part';\nimport './own.ts';`]));
    expect(places).toEqual(['node_modules/kept', 'node_modules/kept/node_modules/planted', 'node_modules/other']);
    expect(licenceProblems('/nowhere', lock, places)).toEqual([
      expect.stringMatching(/^planted has the licence GPL-3\.0-only/),
    ]);
  });

  it('a page needs what it imports: modules, parts of packages, styles, and what is loaded later', () => {
    const text = `import React from 'react';
import { Button } from '@mantine/core';
import '@mantine/core/styles.layer.css';
const later = () => import('uqr');
export { x } from './near.ts';`;
    expect(namedPackages([text])).toEqual(['react', '@mantine/core', 'uqr']);
  });
});

describe('third-party notices contain the whole licence of each package', () => {
  const folder = (name: string) => join(root, 'node_modules', name);

  it('with its copyright, its name, version and licence', () => {
    const text = noticesOf([readPackage(folder('react')), readPackage(folder('fastify'))]);
    for (const name of ['react', 'fastify']) {
      expect(text).toContain(readFileSync(join(folder(name), 'LICENSE'), 'utf8').trim());
      expect(text).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(MIT\\)`, 'm'));
    }
  });

  it('a package without a licence file has the text of its README, or of the licence with its author', () => {
    expect(readPackage(folder('pg-types')).text).toMatch(
      /Copyright \(c\) 2014 Brian M\. Carlson\s+Permission is hereby granted/,
    );
    expect(readPackage(folder('abstract-logging')).text).toMatch(/^MIT License\s+Copyright \(c\) James Sumners/);
    expect(readPackage(folder('abstract-logging')).text).toContain('Permission is hereby granted');
  });

  it('the bundler lists bundled packages, transitive ones included, and no external ones', async () => {
    const folders = new Set<string>();
    const nested = join(root, 'node_modules/@peculiar/x509/node_modules/tslib/tslib.es6.mjs');
    const entry = `import 'pg-types'; import 'sharp'; import 'node:fs'; import ${JSON.stringify(nested)};`;
    const own: Plugin = {
      name: 'own',
      resolveId: (id) => (id === 'entry' ? join(root, 'entry.mjs') : null),
      load: (id) => (id === join(root, 'entry.mjs') ? entry : null),
    };
    const external = ['sharp'];
    const bundle = await rolldown({
      input: 'entry',
      cwd: root,
      platform: 'node',
      external,
      plugins: [own, notePackages(folders)],
    });
    await bundle.generate({});
    await bundle.close();
    const found = [...folders].map((one) => readPackage(one).name).toSorted();
    expect(found).toContain('pg-types');
    expect(found).toContain('postgres-array');
    expect(found).toContain('tslib');
    expect(found).not.toContain('sharp');
    expect(found).not.toContain('@peculiar/x509');
  });

  it('packages with the same text share it, in an order that does not depend on their input order', () => {
    const one = { name: 'a', version: '1', licence: 'MIT', homepage: undefined, text: 'the text' };
    const packages = [one, { ...one, name: 'b', text: 'the\n  text' }, { ...one, name: 'c', text: 'another' }];
    expect(noticesOf(packages)).toBe(noticesOf(packages.toReversed()));
    expect(noticesOf(packages).match(/the text/g)).toHaveLength(1);
    expect(noticesOf(packages)).toMatch(/^a 1 \(MIT\)\nb 1 \(MIT\)\n\nthe text$/m);
  });
});
