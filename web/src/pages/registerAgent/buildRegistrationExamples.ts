const EXAMPLE = {
  name: 'Shopping assistant',
  model: { modelName: 'open-model-7b', modelProvider: 'self-hosted', modelType: 'llm' },
  framework: { frameworkName: 'in-house', frameworkVersion: '1.0' },
  pdlss: {
    purpose: { categories: ['shopping', 'read_data'] },
    limits: { autonomousThreshold: 100, approvalThreshold: 500, currency: 'EUR' },
  },
}

/**
 * Builds two ready-to-paste examples that register an agent, signed with the key in `OWNER_KEY` (0x and 64 digits).
 *
 * A test runs both. Source: Spec: POST /api/agents/register.
 *
 * @param agent The request body; a sample by default.
 */
export function buildRegistrationExamples(
  origin: string,
  agent: object = EXAMPLE,
): { typescript: string; shell: string } {
  return {
    typescript: `import { registerAgent } from '@svc/client'
import { privateKeyToAccount } from 'viem/accounts'

const agent = await registerAgent({
  apiBaseUrl: '${origin}/api',
  account: privateKeyToAccount(process.env.OWNER_KEY as \`0x\${string}\`),
  agent: ${JSON.stringify(agent, null, 2).replaceAll('\n', '\n  ')},
})
console.log(agent.svcId, agent.trustScore)`,

    shell: `ADDRESS=$(cast wallet address --private-key "$OWNER_KEY")
BODY=${quote(JSON.stringify(agent))}
TIMESTAMP=$(date +%s)
NONCE=$(openssl rand -hex 16)
HASH=$(printf %s "$BODY" | openssl dgst -sha256 -r | cut -d' ' -f1)
MESSAGE=$(printf 'SVC-SIGNED-REQUEST-V2\\n${origin}\\nPOST\\n/api/agents/register\\n%s\\n%s\\n%s' "$TIMESTAMP" "$NONCE" "$HASH")
SIGNATURE=$(cast wallet sign --private-key "$OWNER_KEY" "$MESSAGE")

curl -sS -X POST ${origin}/api/agents/register \\
  -H 'Content-Type: application/json' \\
  -H "X-Svc-Address: $ADDRESS" \\
  -H "X-Svc-Signature: $SIGNATURE" \\
  -H "X-Svc-Timestamp: $TIMESTAMP" \\
  -H "X-Svc-Nonce: $NONCE" \\
  -H 'X-Svc-Service: ${origin}' \\
  -d "$BODY"`,
  }
}

/** Quotes any text as a single shell word. Source: POSIX.1-2024 XCU 2.2.2. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
