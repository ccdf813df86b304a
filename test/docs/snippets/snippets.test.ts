import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect } from 'chai'
import { TABLE } from '../../../server/routes/index.ts'
import { readBlocks } from '../readBlocks.ts'
import { CHECKS_OF_PAGES, type Check } from './checksOfPages.ts'
import { findShellFaults } from './findShellFaults.ts'

const ROOT = join(import.meta.dirname, '../../..')
/** Generated, or about the past. */
const NOT_READ = /^(client\/api|docs\/(client-reference|decisions|screenshots)|bench)\/|^CHANGELOG\.md$/

const PAGES = globSync('**/*.md', {
  cwd: ROOT,
  exclude: (name) => /(^|\/)(node_modules|dist|cache|data|test|\..+)$/.test(name),
}).filter((page) => !NOT_READ.test(page))

const countCode = (page: string) => readBlocks(page).length

/** The name by which a test refers to a page. */
const nameOf = (page: string) => (page.startsWith('docs/start/') ? 'followQuickstart' : basename(page))

/** A test with the helpers beside it. */
const readTest = (file: string) =>
  globSync(join(dirname(file), '*.ts'), { cwd: ROOT })
    .filter((path) => path === file || !path.endsWith('.test.ts'))
    .map((path) => readFileSync(join(ROOT, path), 'utf8'))
    .join('\n')

describe('the code blocks of the pages', () => {
  it('each have a check', () => {
    const checked = Object.entries(CHECKS_OF_PAGES).map(([page, checks]) => [page, checks.length] as const)
    const found = PAGES.map((page) => [page, countCode(page)] as const).filter(([, count]) => count !== 0)
    expect(Object.fromEntries(found)).to.deep.equal(Object.fromEntries(checked))
  })

  it('name tests that read their page', () => {
    for (const [page, checks] of Object.entries(CHECKS_OF_PAGES)) {
      for (const check of new Set(checks)) {
        if (!check.startsWith('test/')) continue
        expect(existsSync(join(ROOT, check)), check).to.equal(true)
        expect(readTest(check), check).to.include(nameOf(page))
      }
    }
  })

  const blocksOf = (wanted: Check) =>
    Object.entries(CHECKS_OF_PAGES).flatMap(([page, checks]) =>
      readBlocks(page)
        .filter((_, nth) => checks[nth] === wanted)
        .map(({ text }) => ({ page, text })),
    )

  it('contain only commands, options, settings and files that exist', () => {
    const faults = blocksOf('shell').flatMap(({ page, text }) =>
      findShellFaults(text).map((fault) => `${page}: ${fault}`),
    )
    expect(faults).to.deep.equal([])
  })

  it('name routes that exist', () => {
    const routes = new Set(TABLE.map(([method, path]) => `${method} ${path}`.replaceAll(/:\w+/g, ':')))
    for (const { page, text } of blocksOf('routes')) {
      const named = [...text.matchAll(/^([A-Z]+) +(\/[^\s?]+)/gm)].map(
        ([, method, path]) => `${method} ${path}`,
      )
      expect(named, page).to.not.be.empty
      const missing = named.filter((route) => !routes.has(route.replaceAll(/:\w+/g, ':')))
      expect(missing, page).to.deep.equal([])
    }
  })

  it('name folders that exist', () => {
    for (const { text } of blocksOf('folders')) {
      let parent = ''
      for (const [, indent = '', name = ''] of text.matchAll(/^( *)([\w./]+)/gm)) {
        if (indent === '') parent = name
        const names = indent === '' ? [name] : [join(parent, name)]
        expect(names.filter((path) => !existsSync(join(ROOT, path)))).to.deep.equal([])
      }
    }
  })
})

describe('findShellFaults', () => {
  it('finds what does not exist, each by its name', () => {
    for (const [text, fault] of [
      ['npm run nothing', 'npm run nothing'],
      ['npm run backup -- --where x', 'npm run backup knows no --where'],
      ['npx @svc/cli audit verify', 'npx would look for @svc/cli on the registry'],
      ['WRONG_SETTING=1 npm start', 'no setting is called WRONG_SETTING'],
      ['node examples/nothing.ts', 'there is no examples/nothing.ts'],
      ['svc-gate --nothing', 'nothing'],
      ['docker run registry node scripts/backup.ts --where x', 'npm run backup knows no --where'],
      ['docker run registry node scripts/nothing.ts', 'npm run scripts/nothing.ts'],
      ['systemd-run --setenv=WRONG_FILE=/x /opt/node scripts/backup.ts', 'no setting is called WRONG_FILE'],
      ['systemd-run --wait /opt/node scripts/backup.ts --where x', 'npm run backup knows no --where'],
      ['kubectl create --filename deploy/nothing.yaml', 'there is no deploy/nothing.yaml'],
      ['pip install svc-client', 'pip install svc-client'],
      ['frobnicate', 'no program is called frobnicate'],
      ["echo 'open", 'unexpected EOF'],
    ] as const) {
      expect(findShellFaults(text).join(), text).to.include(fault)
    }
  })
})

describe('pages, comments and the dashboard', () => {
  const TEXTS = [
    ...PAGES,
    ...globSync('{web/src,cli,gate,client,core,scripts,examples}/**/*.{ts,tsx}', {
      cwd: ROOT,
      exclude: (name) => /(^|\/)(node_modules|dist)$/.test(name),
    }),
  ]

  it('never tell anybody to fetch our unpublished packages from a registry', () => {
    const fetched =
      /(npx (-\S+ )*|npm (i|install|add|exec) [^\n`]*?|pip3? install [^\n`]*?)@?svc[-/](cli|client|gate|registry|core)\b/
    const found = TEXTS.flatMap((file) =>
      readFileSync(join(ROOT, file), 'utf8')
        .split('\n')
        .filter((line) => fetched.test(line) && !/\.tgz|dist\/package/.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    )
    expect(found).to.deep.equal([])
  })
})
