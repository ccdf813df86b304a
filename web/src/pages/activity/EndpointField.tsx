import type { Endpoint } from '../../api/types.ts'
import { useAnswer } from '../../api/useAnswer.ts'
import { useItems } from '../../api/useItems.ts'
import { type Party, PartyField } from './PartyField.tsx'
import { useTypedText } from './useTypedText.ts'

type Props = { value: string; onChange: (value: string) => void }

/** Chooses one of the endpoints of the account; the claimed ones stand before those that were discovered. */
export function EndpointField({ value, onChange }: Props) {
  const { text, search, isTyping, onType } = useTypedText()
  const claimed = useItems<Endpoint>('/api/endpoints', { search })
  const discovered = useItems<Endpoint>('/api/endpoints', { only: 'claimable', search })
  const path = `/api/endpoints/${encodeURIComponent(value)}`
  const chosen = useAnswer<{ endpoint: Endpoint }>(path, { enabled: value !== '' })
  return (
    <PartyField
      label="Endpoint"
      value={value}
      name={chosen.data?.endpoint.name}
      groups={[
        { group: 'Claimed', items: claimed.items.map(partyOf) },
        { group: 'Discovered', items: discovered.items.map(partyOf) },
      ]}
      text={text}
      isLooking={isTyping || claimed.isFetching || discovered.isFetching}
      isCut={claimed.hasNextPage || discovered.hasNextPage}
      error={claimed.error ?? discovered.error}
      onChange={onChange}
      onType={onType}
    />
  )
}

function partyOf({ svceId, id, name }: Endpoint): Party {
  return { value: svceId ?? id, name }
}
