import { Alert, Stack, Text } from '@mantine/core'
import { prefillPdlss } from '@svc/core/commerce/prefillPdlss.ts'
import { Facts } from '../../parts/Facts.tsx'
import { Icon } from '../../parts/Icon.tsx'
import type { Boundary } from '../../parts/pdlss/boundaryDimensions.ts'
import { capitalise, wordsOf } from '../../parts/words/words.ts'
import { type AgentDraft, collectDeclarations } from './agentDraft.ts'

/** Shows which empty fields of the boundary the declarations fill. Spec: Commerce protocol declarations. */
export function PrefillNote({ draft }: { draft: AgentDraft }) {
  const { blocks, areValid } = collectDeclarations(draft)
  if (!areValid || blocks.length === 0) return null
  const filled = listAdded(draft.pdlss, prefillPdlss(draft.pdlss, blocks))
  if (filled.length === 0) return null
  return (
    <Alert color="blue" icon={<Icon name="check" />} title="Filled in from your protocol declarations">
      <Stack gap="xs">
        <Text size="sm">What you enter below takes precedence. Fields left empty become:</Text>
        <Facts facts={filled} />
      </Stack>
    </Alert>
  )
}

function listAdded(written: Boundary, filled: Boundary): (readonly [string, string])[] {
  return Object.entries(filled).flatMap(([dimension, rules]) =>
    Object.entries(rules ?? {})
      .filter(([rule]) => written[dimension]?.[rule] === undefined)
      .map(([rule, value]) => [capitalise(wordsOf(rule)), formatValue(value)] as const),
  )
}

function formatValue(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return Array.isArray(value) ? value.join(', ') : String(value)
}
