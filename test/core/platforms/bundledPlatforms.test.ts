import { bundledPlatforms } from '@svc/core/platforms/bundledPlatforms.ts'
import { compilePlatforms } from '@svc/core/platforms/compilePlatforms.ts'
import { platformFileSchema } from '@svc/core/platforms/platform.ts'
import { expect } from 'chai'

const index = compilePlatforms(bundledPlatforms.platforms)
const idOf = (userAgent: string) => index.byUserAgent(userAgent)?.platform.id
const tokensOf = (id: string) =>
  bundledPlatforms.platforms.find((platform) => platform.id === id)?.tokens.map(({ token }) => token)

describe('the recognised platforms', () => {
  it('come from a dated file that matches its schema', () => {
    expect(platformFileSchema.parse(bundledPlatforms)).to.deep.equal(bundledPlatforms)
    expect(bundledPlatforms.dated).to.match(/^\d{4}-\d{2}-\d{2}$/)
  })

  it('contain every token of the list', () => {
    const all = bundledPlatforms.platforms.flatMap(({ tokens }) => tokens.map(({ token }) => token))
    expect(all).to.have.members([
      ...['ChatGPT-User', 'OAI-SearchBot', 'GPTBot', 'Claude-User', 'Claude-SearchBot', 'ClaudeBot'],
      ...['Perplexity-User', 'PerplexityBot', 'Google-Agent', 'Googlebot', 'Gemini-Deep-Research'],
      ...['Google-NotebookLM', 'meta-externalagent', 'meta-externalfetcher', 'Amazonbot', 'Applebot'],
      ...['MistralAI-User', 'DuckAssistBot', 'bingbot', 'Bytespider', 'Cursor', 'Goose', 'Claude-Code'],
      ...['Google-Gemini-CLI', 'Devin', 'Manus-User', 'Kimi-User'],
    ])
    expect(tokensOf('chatgpt-agent')).to.deep.equal([])
    expect(index.bySignatureAgent('https://chatgpt.com')?.id).to.equal('chatgpt-agent')
  })

  it('may name their signer by an origin or by the URL of a JWK Set, each in its normal form', () => {
    const withSigner = (signatureAgent: string) => {
      const [platform] = bundledPlatforms.platforms
      const platforms = [{ ...platform, tokens: [], signatureAgent }]
      return platformFileSchema.safeParse({ dated: '2026-11-24', robotsOnlyTokens: [], platforms })
    }
    for (const signer of ['https://bots.acme.io', 'https://acme.io/bots/jwks.json']) {
      const { data } = withSigner(signer)
      expect(compilePlatforms(data?.platforms ?? []).bySignatureAgent(signer), signer).to.include({
        signatureAgent: signer,
      })
    }
    for (const signer of [
      'https://bots.acme.io/',
      'https://ACME.io/jwks.json',
      'https://acme.io:443/jwks.json',
      'https://acme.io/jwks.json?x=1',
      'https://acme.io/jwks.json#x',
      'https://u:p@acme.io/jwks.json',
      'https://acme.io/a/../jwks.json',
      'data:,x',
    ]) {
      expect(withSigner(signer).success, signer).to.equal(false)
    }
  })

  it('use no name server for OpenAI and Anthropic, which only publish addresses', () => {
    const asked = bundledPlatforms.platforms
      .filter(({ reverseDns }) => reverseDns)
      .map(({ operator }) => operator)
    expect(asked).not.to.include.members(['OpenAI'])
    expect(asked).not.to.include.members(['Anthropic'])
  })

  it('have their lists fetched only over HTTPS', () => {
    const addresses = bundledPlatforms.platforms.flatMap(({ tokens, signatureAgent }) => [
      ...tokens.flatMap(({ ipLists }) => ipLists ?? []),
      ...(signatureAgent === undefined ? [] : [signatureAgent]),
    ])
    expect(addresses.filter((address) => !address.startsWith('https://'))).to.deep.equal([])
  })

  const real: [string, string][] = [
    [
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot',
      'openai',
    ],
    [
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
      'openai',
    ],
    [
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Claude-User/1.0; +Claude-User@anthropic.com)',
      'anthropic',
    ],
    [
      'Mozilla/5.0 (compatible; Google-Agent; +https://developers.google.com/crawling/docs/crawlers-fetchers/google-agent)',
      'google-agent',
    ],
    ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'googlebot'],
    ['Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)', 'bingbot'],
    [
      'Mozilla/5.0 (Macintosh) Version/17.4 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)',
      'applebot',
    ],
    ['meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)', 'meta'],
    ['DuckAssistBot/1.2; (+http://duckduckgo.com/duckassistbot.html)', 'duckassistbot'],
    ['Cursor/1.2.3', 'cursor'],
    ['CHATGPT-user', 'openai'],
  ]
  for (const [userAgent, id] of real) {
    it(`are recognised: ${id} in ${userAgent}`, () => expect(idOf(userAgent)).to.equal(id))
  }

  for (const userAgent of [
    'NotChatGPT-User/1.0',
    'ChatGPT-Users/1.0',
    'ChatGPT-User.example/1.0',
    'ChatGPT-User-Image/1.0',
    'x/ChatGPT-User',
    'Mozilla/5.0 (+https://example.com/GPTBot)',
    'Mozilla/5.0 (+https://example.com/?GPTBot)',
    'user@GPTBot',
    'Googlebot-Image/1.0',
    'Google-Extended',
    'Applebot-Extended/0.1',
    'Mozilla/5.0 (compatible; Google-Extended/1.0; Applebot-Extended)',
    'a text by Devin about a Goose under the Cursor',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36',
    '',
  ]) {
    it(`are not recognised in ${JSON.stringify(userAgent)}`, () =>
      expect(idOf(userAgent)).to.equal(undefined))
  }

  it('does not take a program that says it is like another for the other', () => {
    for (const userAgent of [
      'Mozilla/5.0 (compatible; Seeker/1.0; like Googlebot)',
      'Mozilla/5.0 (compatible; Seeker/1.0; Like  Googlebot/2.1)',
    ]) {
      expect(idOf(userAgent), userAgent).to.equal(undefined)
    }
    const genuine =
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Googlebot/2.1) Chrome/1 Safari/537.36'
    expect(idOf(genuine)).to.equal('googlebot')
    expect(idOf('unlike Googlebot/2.1')).to.equal('googlebot')
  })

  it('are identified by the first of several products, which is the most significant', () => {
    expect(idOf('Claude-User (Claude-Code/1.0; GPTBot/1.0)')).to.equal('anthropic')
    expect(index.byUserAgent('GPTBot/1.0 ChatGPT-User/1.0')?.token.token).to.equal('GPTBot')
  })

  it('may not contain a token twice, nor one only meant for robots.txt', () => {
    const [first] = bundledPlatforms.platforms
    const withToken = (token: string) => ({
      ...bundledPlatforms,
      platforms: [...bundledPlatforms.platforms, { ...first, id: 'other', tokens: [{ token }] }],
    })
    expect(platformFileSchema.safeParse(withToken('Fresh')).success).to.equal(true)
    for (const token of ['gptbot', 'google-extended', 'a b', '']) {
      expect(platformFileSchema.safeParse(withToken(token)).success).to.equal(false)
    }
  })

  it('are none if the file names no token', () => {
    expect(compilePlatforms([]).byUserAgent('GPTBot/1.0')).to.equal(null)
  })
})
