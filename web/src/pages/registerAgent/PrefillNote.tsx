import { Alert, Stack, Text } from '@mantine/core'
import { prefillPdlss } from '@svc/core/commerce/prefillPdlss.ts'
import type { Boundary } from '../../api/types.ts'
import { Facts } from '../../parts/Facts.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { capitalise, wordsOf } from '../../parts/words.ts'
import { type AgentDraft, draftDeclarations } from './agentDraft.ts'

/** What the declarations fill of the boundary where it is left open. Spec: Commerce protocol declarations. */
export function PrefillNote({ draft }: { draft: AgentDraft }) {
  const { blocks, areValid } = draftDeclarations(draft)
  if (!areValid || blocks.length === 0) return null
  const filled = addedBy(draft.pdlss, prefillPdlss(draft.pdlss, blocks))
  if (filled.length === 0) return null
  return (
    <Alert color="blue" icon={<Icon name="check" />} title="Filled from your protocol declarations">
      <Stack gap="xs">
        <Text size="sm">What you enter below wins; what you leave open becomes:</Text>
        <Facts facts={filled} />
      </Stack>
    </Alert>
  )
}

function addedBy(written: Boundary, filled: Boundary): (readonly [string, string])[] {
  return Object.entries(filled).flatMap(([dimension, rules]) =>
    Object.entries(rules ?? {})
      .filter(([rule]) => written[dimension]?.[rule] === undefined)
      .map(([rule, value]) => [capitalise(wordsOf(rule)), shown(value)] as const),
  )
}

function shown(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return Array.isArray(value) ? value.join(', ') : String(value)
}
