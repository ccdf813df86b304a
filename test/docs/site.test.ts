import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { buildDocs } from '../harness/runner/buildDocs.ts'

const ROOT = join(import.meta.dirname, '../..')
const SITE = join(ROOT, 'docs/.vitepress/dist')

describe('the documentation site', () => {
  const pages = new Map<string, string>()

  before(async function () {
    this.timeout(300_000)
    await buildDocs()
    for (const file of globSync('**/*.html', { cwd: SITE }))
      pages.set(file, readFileSync(join(SITE, file), 'utf8'))
  })

  /** The page at an address of the site. */
  const fileOf = (path: string) => `${path.replace(/(^|\/)$/, '$1index')}.html`

  const idsOf = (file: string) =>
    new Set(Array.from((pages.get(file) ?? '').matchAll(/ id="([^"]+)"/g), ([, id = '']) => id))

  it('has no link to a page or heading that does not exist', () => {
    const dead: string[] = []
    let links = 0
    for (const [file, html] of pages) {
      for (const [, href = ''] of html.matchAll(/<a [^>]*href="((?:\/docs\/|#)[^"]*)"/g)) {
        const [path = '', hash = ''] = href.split('#')
        const target = path === '' ? file : fileOf(path.replace('/docs/', ''))
        // Beside the site: the dashboard, and the root of the service.
        if (path === '/docs/../' || file === 'reference.html') continue
        links += 1
        const isThere = pages.has(target) && (hash === '' || idsOf(target).has(decodeURIComponent(hash)))
        if (!isThere) dead.push(`${file}: ${href}`)
      }
    }
    expect(links).to.be.above(1_000)
    expect([...new Set(dead)]).to.deep.equal([])
  })

  it('links only to files of the repository that exist, and so do the other pages of the repository', () => {
    const files = globSync('**/*.md', {
      cwd: ROOT,
      exclude: (name) => /^(node_modules|dist|\..+)$/.test(name),
    })
    const missing = files.flatMap((file) => {
      const prose = readFileSync(join(ROOT, file), 'utf8').replace(/^ *```[\s\S]*?^ *```$/gm, '')
      const targets = Array.from(
        prose.matchAll(/\]\((?![a-z]+:|[#/])([^)\s#]+)/g),
        ([, target = '']) => target,
      )
      return targets.filter((target) => !existsSync(join(ROOT, dirname(file), decodeURI(target))))
    })
    expect(files).to.include.members(['README.md', 'cli/README.md', 'gate/README.md'])
    expect(missing).to.deep.equal([])
  })

  it('has no inline script, and loads nothing from elsewhere', () => {
    for (const [file, html] of pages) {
      const scripts = [...html.matchAll(/<script(?![^>]* src="\/docs\/assets\/)[^>]*>/g)].map(([tag]) => tag)
      expect(scripts, file).to.deep.equal([])
      const loaded = [...html.matchAll(/<(?:link|img|script)[^>]* (?:href|src)="(https?:[^"]+)"/g)]
      expect(
        loaded.map(([, url]) => url),
        file,
      ).to.deep.equal([])
    }
  })

  it('describes every picture', () => {
    for (const [file, html] of pages) {
      const pictures = [...html.matchAll(/<img [^>]*>/g)].map(([tag]) => tag)
      expect(
        pictures.filter((tag) => !/ alt="[^"]{8,}"/.test(tag)),
        file,
      ).to.deep.equal([])
    }
  })

  it('has compressed forms of its pages and scripts', () => {
    for (const file of pages.keys()) expect(existsSync(join(SITE, `${file}.br`)), file).to.equal(true)
  })

  it('lists its pages and their headings for searches from outside', () => {
    type Listed = { title: string; path: string; headings: [string, string][] }
    const listed: Listed[] = JSON.parse(readFileSync(join(SITE, 'pages.json'), 'utf8'))
    const paths = [...pages.keys()].filter((file) => file !== '404.html').map((file) => `/docs/${file}`)
    expect(listed.map(({ path }) => `/docs/${fileOf(path.slice('/docs/'.length))}`)).to.have.members(paths)
    const webhooks = listed.find(({ path }) => path === '/docs/webhooks')
    expect(webhooks?.title).to.equal('Webhooks')
    expect(webhooks?.headings).to.not.be.empty
    const dead = listed.flatMap(({ path, headings }) => {
      const ids = idsOf(fileOf(path.slice('/docs/'.length)))
      return headings.filter(([, anchor]) => !ids.has(anchor)).map(([, anchor]) => `${path}#${anchor}`)
    })
    expect(dead).to.deep.equal([])
  })
})
