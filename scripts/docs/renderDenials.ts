import type { Texts } from '@svc/core/access/causeTexts.ts'
import { FAILURE_CAUSES, type FailureCause } from '@svc/core/access/failureCauses.ts'
import { failureOf } from '@svc/core/access/failureOf.ts'
import { APPROVAL_DIMENSIONS, type Dimension, HARD_DIMENSIONS } from '@svc/core/access/findings.ts'
import { PROOF_TEXTS } from '@svc/core/access/nameProofCause.ts'

/** What helps beyond the text of the response, for the dimensions that a page explains. */
const HELP: readonly [pattern: RegExp, help: string][] = [
  [
    /^agent\.identity$/,
    `To register an agent takes a minute and costs nothing:

1. Register it with a key, or sign up at the service that decided: [Run an agent](start/run-an-agent.md).
2. Give it a [boundary](concepts/boundaries.md), which says what it may do and spend.
3. Send its identifier with every request, in the header \`X-Svc-Id\`, and sign the requests. The
   [client library](../client/README.md#present-an-agent) does both; [Agents in other languages](agents.md) says how.`,
  ],
  [
    /^(agent\.proof|approvals\.pending)$/,
    'How to prove it: [Proof of identity](concepts/proof-of-identity.md).',
  ],
  [/^runtime\.challenge$/, 'How to answer one: [Runtime challenge](agents.md#runtime-challenge).'],
  [/^commerce\.mandate$/, 'What is compared: [Payment mandates](mandates.md).'],
  [/approval_required$/, 'How to wait and repeat: [Step-up](concepts/step-up.md).'],
  [/^(pdlss|endpoint)\./, 'What is compared: [Boundaries](concepts/boundaries.md).'],
]

/**
 * Renders a paragraph for each dimension on which a request can be denied or held, with the texts that a response has.
 *
 * The heading is the dimension, so that the `docsUrl` of a failure can lead to it.
 */
export function renderDenials(): string {
  return `## Denied

${HARD_DIMENSIONS.map(renderDimension).join('\n\n')}

## Held for the owner

${APPROVAL_DIMENSIONS.map(renderDimension).join('\n\n')}`
}

function renderDimension(dimension: Dimension): string {
  const { message, guidance } = failureOf(dimension)
  const help = HELP.find(([pattern]) => pattern.test(dimension))?.[1]
  const rest = help === undefined ? '' : `\n\n${help}`
  return `### \`${dimension}\`\n\n${message} ${guidance}${renderCauses(dimension)}${rest}`
}

/** Renders the texts that a failure has instead if it names its cause. */
function renderCauses(dimension: Dimension): string {
  const rows = FAILURE_CAUSES.flatMap((cause) => {
    const texts = textsOf(dimension, cause)
    return texts === undefined ? [] : [`| \`${cause}\` | ${texts.message} | ${texts.guidance} |`]
  })
  if (rows.length === 0) return ''
  return `\n\n| \`cause\` | What it means | What to do |\n|---|---|---|\n${rows.join('\n')}`
}

function textsOf(dimension: Dimension, cause: FailureCause): Texts | undefined {
  const ofProofs: Readonly<Partial<Record<FailureCause, Texts>>> = PROOF_TEXTS
  if (dimension === 'agent.proof') return ofProofs[cause]
  const failure = failureOf(dimension, cause)
  return failure.cause === cause ? failure : undefined
}
