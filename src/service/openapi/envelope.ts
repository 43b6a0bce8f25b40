import { news } from '../../contract/catalogue/news.js'
import { codes } from '../../contract/error.js'
import { cell } from './reply.js'
import { ref, type Schema, type Schemas } from './schema.js'

function refusal(code: Schema, description: string): Schema {
  return {
    description,
    type: 'object',
    required: ['code', 'message', 'data'],
    properties: {
      code: { type: 'integer', ...code },
      message: { type: 'string', description: 'What was wrong, where, and what would be right.' },
      data: { type: 'null' },
    },
    additionalProperties: false,
  }
}

/** `meta` of news as section 2.2 has it; `groups` of the view `source`. */
const newsSchemas: Schemas = {
  NewsMeta: {
    type: 'object',
    description:
      'Where the news come from and how old they are; absent where the service was not told. There may be more in it.',
    properties: Object.fromEntries(Object.entries(news.meta).map(([name, column]) => [name, cell(column)])),
  },
  NewsGroup: {
    type: 'object',
    description: 'The rows of one source, newest first.',
    required: ['source', 'source_name', 'count', 'items'],
    properties: {
      source: { type: 'string', description: 'Stable code of the source.' },
      source_name: { type: 'string', description: 'Chinese name of the source.' },
      count: { type: 'integer', minimum: 0, description: 'Rows of `items`.' },
      items: { type: 'array', items: { anyOf: [ref('NewsRow'), ref('NewsProjection')] } },
    },
    additionalProperties: false,
  },
}

/** What all operations share: the key, the answers without data, the health of the service. */
export const envelopeSchemas: Schemas = {
  ApiKey: {
    type: 'string',
    minLength: 1,
    format: 'password',
    description: 'Key of the caller: the only authentication there is; it goes into the body and nowhere else.',
    examples: ['<API_KEY>'],
  },
  NoData: refusal({ const: codes.noData }, 'No rows match. An answer, not an error.'),
  Refusal: refusal(
    { enum: [codes.forbidden, codes.invalid, codes.unavailable] },
    [
      `${codes.forbidden}: no key, a wrong or expired one, or a plan that does not cover it.`,
      `${codes.invalid}: the request is not what the operation takes; the message names the field.`,
      `${codes.unavailable}: not available now, or UNSUPPORTED_MARKET.`,
    ].join(' '),
  ),
  HttpRefusal: refusal({}, 'A request that was not answered as a query; the envelope is the same.'),
  Health: {
    description: 'The service answers.',
    type: 'object',
    required: ['code', 'message', 'data'],
    properties: {
      code: { type: 'integer', const: codes.ok },
      message: { type: 'string', const: 'success' },
      data: {
        type: 'object',
        required: ['status', 'state'],
        properties: {
          status: { type: 'string', const: 'ok' },
          state: { type: 'string', description: 'Changes when the archive does.' },
        },
      },
    },
    additionalProperties: false,
  },
  ...newsSchemas,
}
