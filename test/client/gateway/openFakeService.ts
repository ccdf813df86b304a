import type { RegisteredAnswer } from '@svc/client'
import { listen } from '../../harness/peers/listen.ts'
import { readSignedRequest } from '../../harness/peers/readSignedRequest.ts'

/** What a gateway hands over in one call of verify-access. */
export type Asked = Record<string, unknown> & { callerMetadata: Record<string, string> }

/** A grant for a request that proves its agent by a signature. */
export const GRANT: RegisteredAnswer = {
  success: true,
  access: { allowed: true, accessLevel: 'full', reason: '' },
  recommendation: 'grant',
  recommendationReasons: [],
  agent: {
    ...{ svcId: `SVC-${'A'.repeat(22)}`, name: 'Buyer', trustScore: 50, runtimeChallengeSupported: false },
    ...{ agentStatus: 'active', blockchainStatus: 'verified' },
  },
  identityProof: 'signature',
}

/** Opens a service that answers every call as given, and lists what it was asked. */
export async function openFakeService(answer: object = GRANT) {
  const asked: Asked[] = []
  const warnings: string[] = []
  const server = await listen(async (req, res) => {
    let text = ''
    for await (const chunk of req) text += chunk
    if (req.method === 'POST') asked.push(JSON.parse(text))
    res.setHeader('content-type', 'application/json')
    res.end(JSON.stringify(answer))
  })
  const options = {
    apiBaseUrl: `${server.url}/api`,
    ...{ apiKey: 'k', counterpartyUrl: 'https://shop.example', disableInitChecks: true },
    warn: (text: string) => void warnings.push(text),
  }
  return { ...server, options, asked, warnings }
}

/** Whether what a gateway handed over suffices to verify that a key signed the request. */
export async function isVerifiable({ callerMetadata }: Asked, jwk: object): Promise<boolean> {
  const {
    method = '',
    targetUri: url = '',
    signature,
    signatureInput,
    signatureAgent,
    contentDigest,
  } = callerMetadata
  const headers = {
    ...callerMetadata,
    ...{ signature, 'signature-input': signatureInput, 'signature-agent': signatureAgent },
    'content-digest': contentDigest,
  }
  return readSignedRequest({ method, url, headers }).isSignedBy(jwk)
}
