import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { compose } from '../server/compose.ts'
import { readConfig } from '../server/config.ts'
import { createLogger } from '../server/external/logger.ts'
import { callService } from './demo/callService.ts'
import {
  caseUnderReview,
  type DashboardPage,
  EMPTY_PAGES,
  listSeededPages,
  OPERATOR_PAGES,
  PUBLIC_PAGES,
} from './screenshots/pages.ts'
import { seed } from './screenshots/seed.ts'
import { submitIdentity } from './screenshots/submitIdentity.ts'
import { takeScreenshots } from './screenshots/takeScreenshots.ts'

/**
 * Draws every page of the built dashboard into `docs/screenshots`: `npm run screenshots`.
 *
 * The service is the real one on a folder of its own that is deleted afterwards, the browser is Debian's.
 */
const ROOT = join(import.meta.dirname, '..')
const FOLDER = join(ROOT, 'docs/screenshots')
const CHROMIUM = '/usr/bin/chromium'
/** On these two the service listens meanwhile. */
const PORTS = { PORT: process.env.PORT ?? '3911', CHAIN_PORT: process.env.CHAIN_PORT ?? '8911' }
const FILE_MAX_BYTES = 150 * 1024
const PASSWORD = 'correct horse battery'
const OPERATOR = 'operator@example.com'

if (!existsSync(join(ROOT, 'web/dist/index.html'))) {
  throw new Error('The dashboard is not built: npm run build --workspace web')
}
const dataDir = mkdtempSync(join(tmpdir(), 'svc-screenshots-'))
const config = readConfig({
  ...PORTS,
  DATA_DIR: dataDir,
  REGISTRATION_FILES_DIR: join(dataDir, 'registration-files'),
  AUDIT_BATCH_SECONDS: '1',
  TRUST_HISTORY_SECONDS: '1',
  LOG_LEVEL: 'silent',
  API_RATE_PER_MINUTE: '100000',
  SVC_OPERATOR_EMAIL: OPERATOR,
  SVC_OPERATOR_PASSWORD: PASSWORD,
})
const service = await compose(config, { log: createLogger(config.logLevel) })
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] })
try {
  const baseUrl = `http://localhost:${PORTS.PORT}`
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  const newcomer = { email: 'newcomer@example.com', password: PASSWORD, fullName: 'New Account' }
  const opened = await callService(baseUrl, 'POST', '/api/auth/register', {
    body: { ...newcomer, accountType: 'individual' },
    status: 201,
  })
  const drawing = { browser, baseUrl, folder: FOLDER }
  await takeScreenshots({ ...drawing, pages: EMPTY_PAGES, refreshToken: opened.data.refreshToken })
  await takeScreenshots({ ...drawing, pages: PUBLIC_PAGES, refreshToken: null })
  const seeded = await seed(baseUrl, dataDir)
  const pages = listSeededPages(seeded)
  await takeScreenshots({ ...drawing, pages, refreshToken: seeded.refreshToken })
  const operator = await callService(baseUrl, 'POST', '/api/auth/login', {
    body: { email: OPERATOR, password: PASSWORD },
  })
  await submitIdentity({ browser, baseUrl }, opened.data.accessToken)
  const bearer = operator.data.accessToken
  const { items: cases } = await callService(baseUrl, 'GET', '/api/admin/kyd', { bearer })
  const operatorsPages = [...OPERATOR_PAGES, caseUnderReview(cases[0].id)]
  await takeScreenshots({ ...drawing, pages: operatorsPages, refreshToken: operator.data.refreshToken })
  const all = [...PUBLIC_PAGES, ...pages, ...EMPTY_PAGES, ...operatorsPages]
  writeFileSync(join(FOLDER, 'README.md'), gallery(all))
  for (const file of all.flatMap(filesOf)) {
    const { size } = statSync(join(FOLDER, file))
    if (size > FILE_MAX_BYTES) console.warn(`${file} has ${Math.round(size / 1024)} KiB`)
  }
  console.log(`Drew ${all.length} pages into docs/screenshots.`)
} finally {
  await browser.close()
  await service.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

function filesOf({ name }: DashboardPage): string[] {
  return ['light', 'dark', 'phone'].map((form) => `${name}-${form}.png`)
}

function gallery(pages: readonly DashboardPage[]): string {
  const parts = pages.map((page) => {
    const [light, dark, phone] = filesOf(page)
    return `## ${page.shows}\n\n| Light | Dark | Phone |\n|---|---|---|\n| ![light](${light}) | ![dark](${dark}) | ![phone](${phone}) |\n`
  })
  return `# The dashboard in pictures\n\nMade by \`npm run screenshots\` from the real service with example data.\n\n${parts.join('\n')}`
}
