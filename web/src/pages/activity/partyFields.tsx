import { Select, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { Endpoint } from '@svc/core/contract/endpoints.ts'
import { useState } from 'react'
import { useApiList } from '../../api/useApiList.ts'
import { useApiQuery } from '../../api/useApiQuery.ts'
import { readIdentifier } from '../../find/readIdentifier.ts'
import { revealText } from '../../parts/code/revealText.ts'

type FieldProps = { value: string; onChange: (value: string) => void }

/** Selects one of the account's agents. */
export function AgentField({ value, onChange }: FieldProps) {
  const { text, search, isTyping, onType } = useSearchText()
  const query = useApiList('GET /api/agents', { query: { search } })
  const chosen = useApiQuery('GET /api/agents/:id', { params: { id: value }, enabled: value !== '' })
  return (
    <PartyField
      label="Agent"
      value={value}
      name={chosen.data?.agent.name}
      groups={[{ group: 'Agents', items: query.items.map(({ svcId, name }) => ({ value: svcId, name })) }]}
      text={text}
      isSearching={isTyping || query.isFetching}
      isTruncated={query.hasNextPage}
      error={query.error}
      onChange={onChange}
      onType={onType}
    />
  )
}

/** Selects one of the account's endpoints; claimed ones are listed before discovered ones. */
export function EndpointField({ value, onChange }: FieldProps) {
  const { text, search, isTyping, onType } = useSearchText()
  const claimed = useApiList('GET /api/endpoints', { query: { search } })
  const discovered = useApiList('GET /api/endpoints', { query: { only: 'claimable', search } })
  const chosen = useApiQuery('GET /api/endpoints/:id', { params: { id: value }, enabled: value !== '' })
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
      isSearching={isTyping || claimed.isFetching || discovered.isFetching}
      isTruncated={claimed.hasNextPage || discovered.hasNextPage}
      error={claimed.error ?? discovered.error}
      onChange={onChange}
      onType={onType}
    />
  )
}

function partyOf({ svceId, id, name }: Endpoint): Party {
  return { value: svceId ?? id, name }
}

/** An agent or endpoint; `value` is what the filters accept. */
type Party = { value: string; name: string }

type PartyFieldProps = {
  label: string
  /** Empty for all. */
  value: string
  /** Name of the selected one, once known. */
  name: string | undefined
  groups: readonly { group: string; items: readonly Party[] }[]
  /** The text typed so far. */
  text: string
  /** Whether a search is running. */
  isSearching: boolean
  /** Whether there are more results than the groups contain. */
  isTruncated: boolean
  error: unknown
  onChange: (value: string) => void
  /** Called with the text to search for; empty while a selection is shown. */
  onType: (text: string) => void
}

/** Value of the disabled option that stands for further results. */
const REST = '…'

/** Searches any number of agents or endpoints by part of the name, or by identifier. */
function PartyField(props: PartyFieldProps) {
  const { label, value, name, groups, text, isSearching, isTruncated, error, onChange, onType } = props
  // Names are remembered: if the label of the selection changed, it would overwrite the typed text.
  const [names] = useState(() => new Map<string, string>())
  for (const one of groups.flatMap(({ items }) => items)) names.set(one.value, revealText(one.name))
  if (name !== undefined) names.set(value, revealText(name))
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
  const unlisted = new Set([value, isOfParty(text) ? text : ''].filter((one) => one && !shown.has(one)))
  const rest = isTruncated
    ? [{ value: REST, label: 'More results: type part of the name', disabled: true }]
    : []
  return (
    <Select
      label={label}
      placeholder="All"
      data={[...[...unlisted].map((one) => ({ value: one, label: nameOf(one) })), ...data, ...rest]}
      value={value === '' ? null : value}
      onChange={(next) => onChange(next ?? '')}
      onSearchChange={(typed) => onType(typed === nameOf(value) ? '' : typed.trim())}
      // The service has already filtered.
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
      nothingFoundMessage={isSearching ? 'Searching…' : 'No matches'}
      error={error ? 'The list could not be loaded.' : undefined}
      // The list scrolls itself, as a keyboard-navigable list may.
      withScrollArea={false}
      styles={{
        options: { maxHeight: 260, overflowY: 'auto' },
        // “All” is a choice here, not a hint, so it has the text colour.
        input: { '--input-placeholder-color': 'var(--mantine-color-text)' },
      }}
      searchable
      clearable
      // By default the button works only with a mouse.
      clearButtonProps={{
        'aria-label': `Clear ${label.toLowerCase()}`,
        'aria-hidden': false,
        tabIndex: 0,
      }}
      style={{ flex: '1 1 140px', minWidth: 0 }}
    />
  )
}

/** Pause in typing before a search starts. */
const DEBOUNCE_MS = 300

/** Tracks the text typed into a field and its debounced version. */
function useSearchText() {
  const [text, onType] = useState('')
  const [search] = useDebouncedValue(text, DEBOUNCE_MS)
  return { text, search, isTyping: text !== search, onType }
}

/** Whether a text is an identifier of an agent or an endpoint, exactly as the service writes it. */
function isOfParty(text: string): boolean {
  const identifier = readIdentifier(text)
  return identifier?.id === text && ['agent', 'endpoint', 'uuid'].includes(identifier.of)
}
