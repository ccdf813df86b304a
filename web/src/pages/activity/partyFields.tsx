import { Select, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import type { Agent, Endpoint } from '../../api/types.ts'
import { useApiList } from '../../api/useApiList.ts'
import { useApiQuery } from '../../api/useApiQuery.ts'
import { visibleText } from '../../parts/visibleText.ts'

type FieldProps = { value: string; onChange: (value: string) => void }

/** Chooses one of the agents of the account. */
export function AgentField({ value, onChange }: FieldProps) {
  const { text, search, isTyping, onType } = useTypedText()
  const query = useApiList<Agent>('/api/agents', { search })
  const path = `/api/agents/${encodeURIComponent(value)}`
  const chosen = useApiQuery<{ agent: Agent }>(path, { enabled: value !== '' })
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

/** Chooses one of the endpoints of the account; the claimed ones stand before those that were discovered. */
export function EndpointField({ value, onChange }: FieldProps) {
  const { text, search, isTyping, onType } = useTypedText()
  const claimed = useApiList<Endpoint>('/api/endpoints', { search })
  const discovered = useApiList<Endpoint>('/api/endpoints', { only: 'claimable', search })
  const path = `/api/endpoints/${encodeURIComponent(value)}`
  const chosen = useApiQuery<{ endpoint: Endpoint }>(path, { enabled: value !== '' })
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

/** An agent or an endpoint to choose, by what filters take for it. */
type Party = { value: string; name: string }

type PartyFieldProps = {
  label: string
  /** Empty for all. */
  value: string
  /** What the chosen one is called, as soon as it is known. */
  name: string | undefined
  groups: readonly { group: string; items: readonly Party[] }[]
  /** What was typed. */
  text: string
  /** Whether it is still looked for. */
  isLooking: boolean
  /** Whether there are more than those in the groups. */
  isCut: boolean
  error: unknown
  onChange: (value: string) => void
  /** Told what is typed to look for; nothing where the choice stands. */
  onType: (text: string) => void
}

/** It stands for what is not here, and cannot be chosen. */
const REST = '…'
const IDENTIFIER = /^(SVCE?-[0-9A-Za-z]{22}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/** Chooses one of any number of agents or endpoints by a part of its name, or by its identifier. */
function PartyField(props: PartyFieldProps) {
  const { label, value, name, groups, text, isLooking, isCut, error, onChange, onType } = props
  // What was seen once keeps its name: with another one, the chosen would be written over what is typed.
  const [names] = useState(() => new Map<string, string>())
  for (const one of groups.flatMap(({ items }) => items)) names.set(one.value, visibleText(one.name))
  if (name !== undefined) names.set(value, visibleText(name))
  const nameOf = (one: string) => names.get(one) ?? one

  const shown = new Set<string>()
  const data = groups.map(({ group, items }) => ({
    group,
    items: items.flatMap(({ value: one }) => {
      if (shown.has(one)) return []
      shown.add(one)
      return [{ value: one, label: nameOf(one) }]
    }),
  }))
  const others = new Set([value, IDENTIFIER.test(text) ? text : ''].filter((one) => one && !shown.has(one)))
  const rest = isCut
    ? [{ value: REST, label: 'There are more: type a part of the name', disabled: true }]
    : []
  return (
    <Select
      label={label}
      placeholder="All"
      data={[...[...others].map((one) => ({ value: one, label: nameOf(one) })), ...data, ...rest]}
      value={value === '' ? null : value}
      onChange={(next) => onChange(next ?? '')}
      onSearchChange={(typed) => onType(typed === nameOf(value) ? '' : typed.trim())}
      // The service has looked already, among more than are here.
      filter={({ options }) => options}
      renderOption={({ option }) => (
        <Text component="span" size="sm" style={{ overflowWrap: 'anywhere', minWidth: 0 }}>
          {option.label}
          {option.value !== REST && option.value !== option.label && (
            <Text component="span" size="xs" c="dimmed" display="block">
              {option.value}
            </Text>
          )}
        </Text>
      )}
      nothingFoundMessage={isLooking ? 'Looking…' : 'Nothing found'}
      error={error ? 'The list could not be read.' : undefined}
      // The list scrolls itself, as a list that is moved through by arrow keys may.
      withScrollArea={false}
      styles={{
        options: { maxHeight: 260, overflowY: 'auto' },
        // It is read as a choice, like those of the fields beside it.
        input: { '--input-placeholder-color': 'var(--mantine-color-text)' },
      }}
      searchable
      clearable
      // Of itself it is for the mouse alone.
      clearButtonProps={{
        'aria-label': `Clear the ${label.toLowerCase()}`,
        'aria-hidden': false,
        tabIndex: 0,
      }}
      style={{ flex: '1 1 140px', minWidth: 0 }}
    />
  )
}

/** How long nothing is typed before it is looked for. */
const PAUSE_MS = 300

/** What is typed into a field, and what of it is looked for by now. */
function useTypedText() {
  const [text, onType] = useState('')
  const [search] = useDebouncedValue(text, PAUSE_MS)
  return { text, search, isTyping: text !== search, onType }
}
