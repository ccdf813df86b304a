import { failureOf } from '@svc/core/access/failureOf.ts'
import { APPROVAL_DIMENSIONS, type Dimension, HARD_DIMENSIONS } from '@svc/core/access/findings.ts'

/**
 * Renders a paragraph for each dimension on which a request can be denied or held, with the texts that a response has.
 *
 * The heading is the dimension, so that `advisory.docsUrl` can lead to it.
 */
export function renderDenials(): string {
  return `## Denied

${HARD_DIMENSIONS.map(renderDimension).join('\n\n')}

## Held for the owner

${APPROVAL_DIMENSIONS.map(renderDimension).join('\n\n')}`
}

function renderDimension(dimension: Dimension): string {
  const { message, guidance } = failureOf(dimension)
  return `### \`${dimension}\`\n\n${message} ${guidance}`
}
