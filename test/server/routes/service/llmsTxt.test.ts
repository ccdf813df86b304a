import { expect } from 'chai'
import { buildDocs } from '../../../harness/runner/buildDocs.ts'
import { startService } from '../../../harness/service/startService.ts'

describe('llms.txt', () => {
  before(async function () {
    this.timeout(300_000)
    await buildDocs()
  })

  it('is Markdown with links that exist', async () => {
    const service = await startService()
    try {
      const page = await fetch(`${service.baseUrl}/llms.txt`)
      expect(page.headers.get('content-type')).to.equal('text/plain; charset=utf-8')
      const text = await page.text()
      expect(text).to.match(/^# .+\n\n> /)
      const links = [...text.matchAll(/\]\((http[^)]+)\)/g)].map(([, link = '']) => new URL(link).pathname)
      expect(links).to.include.members(['/mcp', '/api/openapi.json', '/docs/', '/docs/reference'])
      for (const path of links.filter((link) => link !== '/mcp')) {
        const response = await fetch(service.baseUrl + path)
        await response.body?.cancel()
        expect(response.status, path).to.be.below(500).and.not.equal(404)
      }
    } finally {
      await service.stop()
    }
  })
})
