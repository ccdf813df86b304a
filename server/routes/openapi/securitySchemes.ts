/** How each kind of caller authenticates, by the names that `ACCESS` uses. Source: `Spec: Authentication`. */
export const SECURITY_SCHEMES = {
  apiKey: { type: 'http', scheme: 'bearer', description: 'API key `svc_live_…`' },
  session: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'Access token of a session' },
  elevation: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Svc-Elevation',
    description: 'Elevation token from a recent passkey assertion in this session',
  },
  signature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Svc-Signature',
    description: 'EIP-191 signature over service, method, path, time, nonce and body hash (docs/agents.md)',
  },
  agent: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'Access token of an agent, from `POST /api/agents/{id}/token`',
  },
} as const
