export type SettingName = keyof typeof SETTINGS

/** What a gate stands before: any server, or an MCP server. */
export type SettingUse = 'proxy' | 'mcp'

/** One setting; `only` names the use to which it is limited. */
export type Setting = { variable: string; meaning: string; isFlag: boolean; only?: SettingUse | undefined }

const flag = (variable: string, meaning: string): Setting => ({ variable, meaning, isFlag: true })
const proxyFlag = (variable: string, meaning: string): Setting => ({
  ...flag(variable, meaning),
  only: 'proxy',
})
const mcpFlag = (variable: string, meaning: string): Setting => ({ ...flag(variable, meaning), only: 'mcp' })

/** Every setting: its name as a flag and in the file, its environment variable, and what it means. */
export const SETTINGS = {
  upstream: flag(
    'SVC_GATE_UPSTREAM',
    'server behind the gate: http://127.0.0.1:8080; mcp: http://127.0.0.1:9000/mcp',
  ),
  'forward-auth': proxyFlag(
    'SVC_GATE_FORWARD_AUTH',
    'a proxy asks instead: "headers" (nginx, Caddy, HAProxy, Traefik) or "request" (Envoy)',
  ),
  endpoint: flag('SVC_GATE_ENDPOINT', 'identifier of the endpoint: SVCE-…'),
  api: flag('SVC_GATE_API', 'address of the service’s API: https://registry.example/api'),
  'api-key-file': flag(
    'SVC_API_KEY_FILE',
    'file with the API key; or the key itself in the environment as SVC_API_KEY',
  ),
  listen: flag('SVC_GATE_LISTEN', 'host and port to listen at; default 127.0.0.1:8081'),
  admin: flag(
    'SVC_GATE_ADMIN',
    'host and port of /healthz and /metrics; default 127.0.0.1:9464, "off" for none',
  ),
  'trust-proxy': flag(
    'SVC_GATE_TRUST_PROXY',
    '"true" behind a proxy that sets X-Forwarded-For and X-Forwarded-Proto, or how many such proxies there are',
  ),
  'hold-step-up': flag(
    'SVC_GATE_HOLD_STEP_UP',
    'seconds for which a request waits while the agent’s owner is asked; default 0',
  ),
  'reuse-grant': flag(
    'SVC_GATE_REUSE_GRANT',
    'seconds for which a grant answers further signed requests; default none',
  ),
  issuer: flag('SVC_GATE_ISSUER', 'PUBLIC_URL of the service, if its API is reached at another address'),
  'signed-body-max': proxyFlag(
    'SVC_GATE_SIGNED_BODY_MAX',
    'bytes of a signed body that are compared with its digest; default 1048576',
  ),
  'signed-body-timeout': proxyFlag(
    'SVC_GATE_SIGNED_BODY_TIMEOUT',
    'seconds within which a signed body has to arrive; default 20',
  ),
  'signed-bodies-max': proxyFlag(
    'SVC_GATE_SIGNED_BODIES_MAX',
    'bytes of all signed bodies that are held at a time; default 268435456, or signed-body-max if that is more',
  ),
  'connect-timeout': flag('SVC_GATE_CONNECT_TIMEOUT', 'seconds to connect to the server; default 5'),
  'response-timeout': flag('SVC_GATE_RESPONSE_TIMEOUT', 'seconds until the server’s first byte; default 60'),
  grace: flag('SVC_GATE_GRACE', 'seconds for which running requests may go on after SIGTERM; default 20'),
  rules: mcpFlag('SVC_GATE_RULES', 'mcp: file that says what each tool means; see docs/gate.md'),
  'body-max': mcpFlag('SVC_GATE_BODY_MAX', 'mcp: bytes of one message of a client; default 4194304'),
  agent: mcpFlag(
    'SVC_AGENT_ID',
    'mcp, before a command: the agent that calls, SVC-…, unless a call names one',
  ),
  'agent-key-file': mcpFlag(
    'SVC_AGENT_KEY_FILE',
    'mcp, before a command: file with the agent’s key, which then signs each call',
  ),
  'api-key': { variable: 'SVC_API_KEY', meaning: 'the API key; only in the environment', isFlag: false },
} satisfies Record<string, Setting>
