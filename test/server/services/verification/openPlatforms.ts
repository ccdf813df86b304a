import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createOrganisation, registerEndpoint } from '../../../builders/participants.ts'
import { createBotSigner } from '../../../harness/peers/createBotSigner.ts'
import { listen } from '../../../harness/peers/listen.ts'
import { startAddressNameServer } from '../../../harness/peers/startAddressNameServer.ts'
import { createTemporaryFolder } from '../../../harness/runner/createTemporaryFolder.ts'
import { api } from '../../../harness/service/api.ts'
import { startService } from '../../../harness/service/startService.ts'

/** An address in the list published by the operator of the test bots. */
export const LISTED = '20.15.240.70'

/** An address whose reverse DNS name, of the test bots, resolves back to it. */
export const NAMED = '66.249.66.1'

export type PlatformScene = Awaited<ReturnType<typeof openPlatforms>>

/** The service with its own platforms, whose operator publishes here: keys, addresses and names. */
export async function openPlatforms() {
  const folder = createTemporaryFolder()
  const bot = await createBotSigner()
  const operator = await listen((req, res) => {
    const documents: Record<string, object> = {
      '/.well-known/http-message-signatures-directory': { keys: [bot.publicJwk] },
      '/list.json': { creationTime: '2026-11-20', prefixes: [{ ipv4Prefix: '20.15.240.64/28' }] },
    }
    const document = documents[req.url ?? '']
    res.writeHead(document ? 200 : 404).end(JSON.stringify(document ?? {}))
  })
  const names = await startAddressNameServer({
    'PTR 1.66.249.66.in-addr.arpa': ['crawl-1.bot.example'],
    'A crawl-1.bot.example': [NAMED],
  })
  const file = join(folder.path, 'platforms.json')
  writeFileSync(file, JSON.stringify(platformsOf(operator.url)))
  const service = await startService({
    settings: {
      PLATFORMS_FILE: file,
      PLATFORM_LISTS_HOURS: '24',
      PLATFORM_REVERSE_DNS: 'true',
      DNS_SERVERS: names.address,
    },
  })
  const shop = await createOrganisation(service.baseUrl)

  const shopAt = (unverifiedAgentPolicy: string, fields: object = {}) =>
    registerEndpoint(service.baseUrl, shop.apiKey, { unverifiedAgentPolicy, ...fields })
  const verify = (counterpartyId: string, callerMetadata?: object, fields: object = {}) =>
    api(service.baseUrl, 'POST', '/api/agents/verify-access', {
      bearer: shop.apiKey,
      body: { counterpartyId, callerMetadata, ...fields },
    })

  return {
    service,
    shop,
    bot,
    operator,
    /** An endpoint of the shop with this policy for callers without an agent. */
    shopAt,
    /** Verifies a caller without an agent. */
    verify,
    /** Reads the shop’s activity of one type, latest first. */
    events: async (eventType: string) =>
      (
        await api(service.baseUrl, 'GET', `/api/activity?limit=100&eventType=${eventType}`, {
          bearer: shop.apiKey,
        })
      ).body.items,
    /** Returns the evidence for a caller’s platform. */
    gradeOf: async (callerMetadata: object) =>
      (await verify(await shopAt('allow_full'), callerMetadata)).body.agent?.evidence,
    async close() {
      await service.stop()
      await operator.stop()
      await names.stop()
      folder.remove()
    },
  }
}

function platformsOf(operatorUrl: string) {
  const platform = { operator: 'Tester', documentation: null }
  return {
    dated: '2026-11-21',
    robotsOnlyTokens: [],
    platforms: [
      {
        ...platform,
        id: 'test-bot',
        name: 'Test bots',
        tokens: [{ token: 'TestBot', ipLists: [`${operatorUrl}/list.json`] }],
        reverseDns: ['*.bot.example'],
      },
      { ...platform, id: 'fresh-bot', name: 'Fresh bot', tokens: [{ token: 'FreshBot' }] },
      { ...platform, id: 'unseen-bot', name: 'Unseen bot', tokens: [{ token: 'UnseenBot' }] },
      { ...platform, id: 'signed-bot', name: 'Signed bot', tokens: [], signatureAgent: operatorUrl },
    ],
  }
}
