import type { Agent } from '../../api/types.ts'
import { useAnswer } from '../../api/useAnswer.ts'
import { useItems } from '../../api/useItems.ts'
import { PartyField } from './PartyField.tsx'
import { useTypedText } from './useTypedText.ts'

type Props = { value: string; onChange: (value: string) => void }

/** Chooses one of the agents of the account. */
export function AgentField({ value, onChange }: Props) {
  const { text, search, isTyping, onType } = useTypedText()
  const query = useItems<Agent>('/api/agents', { search })
  const path = `/api/agents/${encodeURIComponent(value)}`
  const chosen = useAnswer<{ agent: Agent }>(path, { enabled: value !== '' })
  return (
    <PartyField
      label="Agent"
      value={value}
      name={chosen.data?.agent.name}
      groups={[{ group: 'Agents', items: query.items.map(({ svcId, name }) => ({ value: svcId, name })) }]}
      text={text}
      isLooking={isTyping || query.isFetching}
      isCut={query.hasNextPage}
      error={query.error}
      onChange={onChange}
      onType={onType}
    />
  )
}
