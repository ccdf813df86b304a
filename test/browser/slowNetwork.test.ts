import { readdirSync, readFileSync } from 'node:fs'
import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { type StartedService, startService } from '../harness/service/startService.ts'
import { buildDashboard } from './support/buildDashboard.ts'
import { openBrowser, openPage } from './support/openBrowser.ts'

/** What a connection of 50 kB/s loads in less than two seconds. */
const FIRST_SCRIPTS_MAX = 90_000

describe('the dashboard on a slow network', () => {
  let service: StartedService
  let browser: Browser
  let page: Page
  let firstScriptBytes = 0

  before(async function () {
    browser = await openBrowser(this)
    firstScriptBytes = (await buildDashboard()).firstScriptBytes
    service = await startService()
    page = await openPage(browser, [])
  })

  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  it('shows its outline before any script or style has arrived', async () => {
    await page.route('**/assets/**', () => undefined)
    await page.goto(service.baseUrl, { waitUntil: 'commit' })
    const starting = page.getByRole('status', { name: 'Loading' })
    await starting.waitFor()
    expect(await starting.innerText()).to.contain('Agent registry')
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })

  it(`begins with at most ${FIRST_SCRIPTS_MAX} bytes of scripts, compressed`, () => {
    expect(firstScriptBytes).to.be.within(1, FIRST_SCRIPTS_MAX)
  })

  it('has the styles of every component that it uses', () => {
    const used = new Set<string>()
    for (const name of readdirSync('web/src', { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.tsx')) continue
      const code = readFileSync(`web/src/${name}`, 'utf8')
      const imported = /import \{([^}]*)\} from '@mantine\/core'/.exec(code)
      // Such as `Radio.Card`, whose styles are in a file of their own.
      for (const [, component, part] of code.matchAll(/<([A-Z]\w+)\.([A-Z]\w+)/g))
        used.add(`${component}${part}`)
      for (const part of imported?.[1]?.split(',') ?? []) used.add(part.trim())
    }
    const styles = readFileSync('web/src/mantine.css', 'utf8')
    const existing = new Set(readdirSync('node_modules/@mantine/core/styles'))
    const missing = [...used].filter(
      (name) => existing.has(`${name}.css`) && !styles.includes(`/styles/${name}.css`),
    )
    expect(missing).to.deep.equal([])
    expect(used.has('Button')).to.equal(true)
  })
})
