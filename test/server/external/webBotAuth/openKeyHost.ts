import { createGetText } from '../../../../server/external/outbound/outboundHttp.ts'
import { createKeyDirectories } from '../../../../server/external/webBotAuth/keyDirectories.ts'
import { createReplayMemory } from '../../../../server/external/webBotAuth/replayMemory.ts'
import { createWebBotAuth } from '../../../../server/external/webBotAuth/webBotAuth.ts'
import { type BotSigner, createBotSigner, type SignedFacts } from '../../../harness/peers/createBotSigner.ts'
import { listen } from '../../../harness/peers/listen.ts'

export const NOW = Date.parse('2026-11-21T12:00:00Z')
export const WELL_KNOWN = '/.well-known/http-message-signatures-directory'
/** A JWK Set of another operator on the same host. */
export const JWKS = '/bots/jwks.json'
export const URL_SIGNED = 'https://shop.acme.io/orders/1?x=1'

export type KeyHost = Awaited<ReturnType<typeof openKeyHost>>

/** A host that publishes the keys of two signers: one in its directory, and a stranger in a JWK Set. */
export async function openKeyHost() {
  const [bot, stranger] = [await createBotSigner(), await createBotSigner()]
  const usual: { status: number; body: string; location?: string } = {
    status: 200,
    body: JSON.stringify({ keys: [bot.publicJwk] }),
  }
  const seen = { asked: [] as string[], answer: usual }
  const host = await listen((req, res) => {
    seen.asked.push(req.url ?? '')
    const keys = [{ ...stranger.publicJwk, kid: 'main' }]
    if (req.url === JWKS) return res.end(JSON.stringify({ keys }))
    const { status, body, location } = seen.answer
    res.writeHead(status, location ? { location } : {}).end(body)
  })
  return {
    ...host,
    bot,
    stranger,
    /** The paths that were requested, and what the directory returns. */
    seen,
    /** Forgets what was requested, and returns the key of the bot again. */
    reset() {
      seen.asked = []
      seen.answer = usual
    },
    /** A verifier that knows both signers and has fetched nothing yet. */
    open() {
      const failures: unknown[] = []
      const verify = createWebBotAuth({
        keyOf: createKeyDirectories({
          getText: createGetText({ allowPrivate: true, timeoutMs: 2000 }),
          onFailed: (_, reason) => failures.push(reason),
        }),
        replays: createReplayMemory(),
        isKnownSigner: (signer) => [host.url, host.url + JWKS].includes(signer),
      })
      return {
        failures,
        verify(
          facts: SignedFacts,
          changes: { authority?: string; now?: number; dryRun?: boolean; audience?: string } = {},
        ) {
          const { signatureAgent, ...request } = facts
          const { authority = 'shop.acme.io', now = NOW, dryRun = false, audience = 'endpoint' } = changes
          const fields = { 'signature-agent': signatureAgent, 'user-agent': 'Chrome' }
          return verify({ request: { ...request, authority, fields }, audience, dryRun, now })
        },
      }
    },
    /** Signs a request, by default of the bot with the dictionary form. */
    signed: (changes: Partial<Parameters<BotSigner['signed']>[0]> = {}, by = bot) =>
      by.signed({ url: URL_SIGNED, agent: `"${host.url}"`, label: 'sig1', created: NOW - 1000, ...changes }),
  }
}
