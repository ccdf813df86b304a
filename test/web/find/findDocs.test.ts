import { expect } from 'chai'
import { type DocsPage, findDocs } from '../../../web/src/find/findDocs.ts'

const PAGES: DocsPage[] = [
  { title: 'A start with webhooks', path: '/docs/start', headings: [] },
  { title: 'Webhooks', path: '/docs/webhooks', headings: [['Retries', 'retries']] },
  {
    title: 'Operations',
    path: '/docs/operations',
    headings: [
      ['Keys of webhooks', 'keys-of-webhooks'],
      ['Operations', 'operations'],
    ],
  },
]

describe('the documentation in the search', () => {
  const found = (search: string) => findDocs(PAGES, search).map(({ to, about }) => [to, about])

  it('is found by the words of a title, one that begins with them first, and then by headings', () => {
    expect(found(' WebHooks ')).to.deep.equal([
      ['/docs/webhooks', 'Page of the docs'],
      ['/docs/start', 'Page of the docs'],
      ['/docs/operations#keys-of-webhooks', 'Operations'],
    ])
  })

  it('is found by several words in any order, and a page once', () => {
    expect(found('webhooks key')).to.deep.equal([['/docs/operations#keys-of-webhooks', 'Operations']])
    expect(found('operations')).to.deep.equal([['/docs/operations', 'Page of the docs']])
    expect(found('webhooks nothing')).to.deep.equal([])
    expect(found(' ')).to.deep.equal([])
  })

  it('shows six findings at most', () => {
    const pages = Array.from({ length: 9 }, (_, nth) => ({ title: `Keys ${nth}`, path: '/', headings: [] }))
    expect(findDocs(pages, 'keys')).to.have.length(6)
  })
})
