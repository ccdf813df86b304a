import { Button, Group, NativeSelect, Paper, Stack, TextInput } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import { ApiFailure } from '../../api/apiFailure.ts'
import { describeFault } from '../../parts/words/describeFault.ts'
import { eventNames } from '../../parts/words/eventWords.ts'
import { navigate } from '../../router/navigate.ts'
import {
  type ActivityAddress,
  changeActivityAddress,
  FILTERS,
  type FilterName,
  PERIODS,
} from './activityAddress.ts'
import { AgentField, EndpointField } from './partyFields.tsx'

const OUTCOMES = [
  { value: '', label: 'All' },
  { value: 'granted', label: 'Granted' },
  { value: 'held', label: 'Held' },
  { value: 'denied', label: 'Denied' },
]
const EVENTS = [
  { value: '', label: 'All' },
  ...Object.entries(eventNames).map(([value, label]) => ({ value, label })),
]
/** The filters that are folded away while none of them is set. */
const FURTHER = ['eventType', 'ip', 'currency', 'amountMin', 'amountMax'] as const
/** Those that a phone folds away: all but the text. */
const FOLDED = FILTERS.filter((name) => name !== 'text')
/** Where all of them would fill the screen. */
const NARROW = '(max-width: 40em)'

const FIELD = { flex: '1 1 140px', minWidth: 0 }

type Props = {
  address: ActivityAddress
  /** Why the list could not be loaded; the service names the filter that it does not accept. */
  error: unknown
}

/** The filters of the activity; each change is a step in the browser’s history. */
export function ActivityFilters({ address, error }: Props) {
  const isFurther = FURTHER.some((name) => address[name] !== '')
  const [isOpen, setOpen] = useState(false)
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false })
  const [isUnfolded, setUnfolded] = useState(false)
  // A filter that the service refuses says so at its field.
  const isRefused = error instanceof ApiFailure && error.errors.length > 0
  const isShown = !isNarrow || isUnfolded || isRefused
  const { currency, amountMin, amountMax, period } = address
  const needsCurrency = currency === '' && `${amountMin}${amountMax}` !== ''
  const field = { address, error }
  return (
    <Paper withBorder p="sm" mb="md" component="search">
      <Stack gap="sm">
        <Group gap="sm" align="flex-start">
          <TextField {...field} name="text" label="Text" placeholder="Name, purpose, resource…" />
          {isShown && (
            <>
              <ChoiceField {...field} name="outcome" label="Outcome" data={OUTCOMES} />
              <AgentField value={address.agent} onChange={(agent) => changeActivityAddress({ agent })} />
              <EndpointField
                value={address.endpoint}
                onChange={(endpoint) => changeActivityAddress({ endpoint })}
              />
              <ChoiceField {...field} name="period" label="Period" data={PERIODS} />
            </>
          )}
          {isShown && period === 'dates' && (
            <>
              <TextField {...field} name="from" label="From" type="date" refusedAs="since" />
              <TextField {...field} name="to" label="To" type="date" refusedAs="until" />
            </>
          )}
        </Group>
        {isShown && (isOpen || isFurther) && (
          <Group gap="sm" align="flex-start">
            <ChoiceField {...field} name="eventType" label="Event" data={EVENTS} />
            <TextField {...field} name="ip" label="IP address" placeholder="192.0.2.7" />
            <TextField {...field} name="amountMin" label="Amount from" inputMode="decimal" />
            <TextField {...field} name="amountMax" label="Amount to" inputMode="decimal" />
            <TextField
              {...field}
              name="currency"
              label="Currency"
              placeholder="EUR"
              problem={needsCurrency ? 'Choose the currency of the amounts.' : undefined}
            />
          </Group>
        )}
        <Group gap="xs">
          {isNarrow && (
            <Button
              variant="light"
              size="compact-sm"
              aria-expanded={isUnfolded}
              onClick={() => setUnfolded(!isUnfolded)}
            >
              {isUnfolded ? 'Hide filters' : nameFolded(FOLDED.filter((name) => address[name] !== '').length)}
            </Button>
          )}
          {isShown && !isFurther && (
            <Button
              variant="subtle"
              size="compact-sm"
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
            >
              {isOpen ? 'Fewer filters' : 'More filters'}
            </Button>
          )}
          {Object.values(address).some((value) => value !== '') && (
            <Button variant="subtle" size="compact-sm" onClick={() => navigate('/activity')}>
              Clear filters
            </Button>
          )}
        </Group>
      </Stack>
    </Paper>
  )
}

/** A filter that is folded away still says that it is set. */
function nameFolded(count: number): string {
  return count === 0 ? 'Filters' : `Filters (${count} set)`
}

type FieldProps = { address: ActivityAddress; error: unknown; name: FilterName; label: string }

function ChoiceField({
  address,
  name,
  label,
  data,
}: FieldProps & { data: readonly { value: string; label: string }[] }) {
  const value = address[name]
  const isListed = data.some((option) => option.value === value)
  return (
    <NativeSelect
      label={label}
      value={value}
      data={isListed ? [...data] : [...data, { value, label: value }]}
      onChange={(event) => changeActivityAddress({ [name]: event.currentTarget.value })}
      style={FIELD}
    />
  )
}

type TextFieldProps = FieldProps & {
  placeholder?: string
  type?: 'date'
  inputMode?: 'decimal'
  /** The name under which the service refuses it; its own by default. */
  refusedAs?: string
  problem?: string | undefined
}

/** A text that takes effect with the Enter key, or when the field is left. */
function TextField({ address, error, name, label, refusedAs = name, problem, ...input }: TextFieldProps) {
  const value = address[name]
  const [typed, setTyped] = useState(value)
  const [applied, setApplied] = useState(value)
  // The address changes without the field when the reader goes back.
  if (applied !== value) {
    setApplied(value)
    setTyped(value)
  }
  const apply = () => {
    if (typed.trim() !== value) changeActivityAddress({ [name]: typed.trim() })
  }
  const refused =
    error instanceof ApiFailure && error.errors.find(({ pointer }) => pointer === `/${refusedAs}`)?.message
  return (
    <TextInput
      label={label}
      value={typed}
      error={problem ?? (refused ? describeFault(label, refused) : undefined)}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={apply}
      onKeyDown={(event) => {
        if (event.key === 'Enter') apply()
      }}
      style={FIELD}
      {...input}
    />
  )
}
