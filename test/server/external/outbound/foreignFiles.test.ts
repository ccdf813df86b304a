import { expect } from 'chai'
import { createForeignFiles } from '../../../../server/external/outbound/foreignFiles.ts'
import { createGetText } from '../../../../server/external/outbound/outboundHttp.ts'
import { listen } from '../../../harness/peers/listen.ts'

describe('createForeignFiles', () => {
  let server: Awaited<ReturnType<typeof listen>>
  before(async () => {
    server = await listen((req, res) => {
      if (req.url === '/long') return void res.end('x'.repeat(64 * 1024 + 1))
      if (req.url === '/moved') return void res.writeHead(302, { location: '/file' }).end()
      res.end(`the text of ${req.url}`)
    })
  })
  after(() => server.stop())

  const reader = (ipfsGatewayUrl: string | null = null, allowPrivate = true) =>
    createForeignFiles({ getText: createGetText({ allowPrivate, timeoutMs: 5_000 }), ipfsGatewayUrl })
  const cid = 'bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy'

  it('reads files over HTTP, from the gateway, and out of the URI', async () => {
    const read = reader(server.url)
    expect(await read(`${server.url}/file`)).to.deep.equal({ ok: true, text: 'the text of /file' })
    for (const uri of [`ipfs://${cid}`, `ipfs://ipfs/${cid}`]) {
      expect(await read(uri)).to.deep.equal({ ok: true, text: `the text of /ipfs/${cid}` })
    }
    for (const uri of ['data:application/json,%7B%7D', 'data:application/json;base64,e30=']) {
      expect(await read(uri)).to.deep.equal({ ok: true, text: '{}' })
    }
  })

  it('reads a file in a folder of IPFS, and nothing else of the gateway', async () => {
    const read = reader(`${server.url}/base`)
    const path = `/${cid}/folder/agent%201..json`
    expect(await read(`ipfs:/${path}`)).to.deep.equal({ ok: true, text: `the text of /base/ipfs${path}` })
    for (const out of [
      ...['../../admin', './../../admin', '..', 'a/../../../admin', '..\\..\\admin', '.\t./.\n./admin'],
      ...['%2e%2e/%2E./admin', '.%2e/admin', '..%2f..%2Fadmin', '..%5cadmin', '%252e%252e/admin', '%2e'],
      ...['..%252f..%252fadmin', '%09../admin'],
    ]) {
      expect(await read(`ipfs://${cid}/${out}`), out).to.deep.equal({ ok: false, fault: 'uri_not_supported' })
    }
  })

  it('refuses what it cannot read, and says why', async () => {
    for (const [uri, fault] of [
      ['', 'no_token_uri'],
      [`ipfs://${cid}`, 'uri_not_supported'],
      ['data:text/html,x', 'uri_not_supported'],
      ['file:///etc/passwd', 'uri_not_supported'],
      [`${server.url}/moved`, 'file_unreachable'],
      [`${server.url}/long`, 'file_too_long'],
      [`data:application/json,${'x'.repeat(64 * 1024 + 1)}`, 'file_too_long'],
      ['data:application/json,%', 'file_unreachable'],
    ] as const) {
      expect(await reader()(uri), uri.slice(0, 60)).to.deep.equal({ ok: false, fault })
    }
  })

  it('refuses private addresses, and HTTP, unless they are allowed', async () => {
    const fault = 'file_unreachable'
    for (const uri of [`${server.url}/file`, 'https://127.0.0.1/file', 'https://169.254.169.254/latest']) {
      expect(await reader(null, false)(uri), uri).to.deep.equal({ ok: false, fault })
    }
  })
})
