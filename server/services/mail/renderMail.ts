import { MAIL_TEMPLATES, type MailContent, type MailData, type MailTemplate } from './mailTemplates.ts'

export type RenderedMail = { subject: string; text: string; html: string }

/**
 * Fills in a template and renders it as text and HTML.
 *
 * @param now Epoch milliseconds.
 */
export function renderMail<Template extends MailTemplate>(
  template: Template,
  data: MailData[Template],
  now: number,
): RenderedMail {
  const content = MAIL_TEMPLATES[template](data, now)
  return { subject: toOneLine(content.subject), text: renderText(content), html: renderHtml(content) }
}

function renderText({ paragraphs, action }: MailContent): string {
  const link = action === null ? [] : [`${action.label}:\n${action.url}`]
  return `${[...paragraphs.map(toOneLine), ...link].join('\n\n')}\n`
}

function renderHtml({ subject, paragraphs, action }: MailContent): string {
  const body = paragraphs.map((paragraph) => `<p>${escapeHtml(toOneLine(paragraph))}</p>`)
  const link =
    action === null ? '' : `<p><a href="${escapeHtml(action.url)}">${escapeHtml(action.label)}</a></p>`
  return [
    '<!doctype html>',
    `<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(toOneLine(subject))}</title></head>`,
    `<body>${body.join('')}${link}</body></html>`,
  ].join('\n')
}

/** Removes line breaks, so that a name cannot add lines that look like ours. */
function toOneLine(text: string): string {
  return text.replace(/\p{Cc}+|[\u2028\u2029]+/gu, ' ')
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}
