import { news } from '../../../contract/catalogue/news.js'
import { allDatasets } from '../../../contract/catalogue.js'
import type { Dataset } from '../../../contract/dataset.js'
import { codes } from '../../../contract/error.js'
import { version } from '../../../contract/version.js'
import { wholeFormats } from '../whole/whole-request.js'
import { closedObject, envelopeSchema, pascal, ref, type Schema, type Schemas } from './json-schema.js'
import { cellSchema, replySchemas } from './reply-schemas.js'
import { requestSchemas, textSchemas } from './request-schemas.js'

const about = `Read-only queries of securities market data behind one path: \`POST /api\`, the body's \`apiname\` says which.

**Names.** \`EtfMinuteRequest\` is answered by \`EtfMinuteReply\`; \`EtfMinuteParams\`, \`EtfMinuteRow\` and the like are parts of them.
A document of this kind can not tie an answer to its request, so the answer to \`POST /api\` is any of the replies: pick by what was asked.

**Status.** HTTP status 200 carries every answer to a well-formed request; \`code\` in the body says what it is: ${codes.ok} with data,
${codes.noData} no data, ${codes.forbidden} no permission, ${codes.invalid} a request that the operation does not take, ${codes.unavailable} not available. Other statuses carry the same envelope.

**Key.** \`apikey\` is a field of the body. There is no header, cookie or query parameter for it on \`/api\`, hence no security scheme here; \`/query\` takes it as \`Authorization: Bearer KEY\`.

**Rows.** \`data.fields\` names the cells of each row of \`data.items\`, in order. Null means not known, never zero. Units are in \`x-unit\`.
Codes, dates, minutes and ids are strings. Blanks around values, and null for a param, are taken as if they were not there.

**Shares.** \`file_download\` hands out a link below \`/share/\` with a password of its own: read-only WebDAV (OPTIONS, PROPFIND with depth 0 or 1,
GET with ranges, HEAD; HTTP Basic). It is not part of this document.`

const json = (schema: Schema): Schema => ({ 'application/json': { schema } })

/** A refusal below the level of queries: the status says why, the body is an envelope. */
function refusalResponse(description: string, headers?: Schemas): Schema {
  return { description, headers, content: json(ref('HttpRefusal')) }
}

const anyRefusal = refusalResponse('Any other refusal.')

const columnLists = closedObject({
  columns: { type: 'object', additionalProperties: { type: 'array' }, description: 'A list of cells for each column.' },
})

const examplesOf = (all: readonly Dataset[]) =>
  all.map(({ name, title, example }) => {
    return [name, { summary: title, value: { apikey: '<API_KEY>', apiname: name, params: example } }]
  })

// biome-ignore format: a table, one entry a line
const queryPath = (all: readonly Dataset[]): Schema => ({
  post: {
    operationId: 'query',
    summary: 'Ask one of the operations',
    description: all.map(({ name, title }) => `- \`${name}\`: ${title}`).join('\n'),
    tags: ['data'],
    parameters: [
      { name: 'If-None-Match', in: 'header', description: 'The sha256 of the body of the answer that the caller has, in hexadecimal and in quotes. It is not sent again.', schema: { type: 'string' } },
    ],
    requestBody: { required: true, content: { 'application/json': { schema: ref('Request'), examples: Object.fromEntries(examplesOf(all)) } } },
    responses: {
      200: { description: 'An answer: data, no data, or why there is none.', content: json(ref('Reply')) },
      403: refusalResponse('Without a key file: the request was sent to another name than 127.0.0.1 or localhost.'),
      405: refusalResponse('The path takes other methods.', { Allow: { description: 'The methods it takes.', schema: { type: 'string' } } }),
      412: { description: 'The answer is still the one that If-None-Match names: there is no body.' },
      413: refusalResponse('The body is larger than the service takes.'),
      429: refusalResponse('More requests than the key or the service allows.', { 'Retry-After': { description: 'Seconds after which to ask again.', schema: { type: 'integer', minimum: 1 } } }),
      default: anyRefusal,
    },
  },
})

function getPath(operationId: string, summary: string, media: string, schema: Schema, more: Schema = {}): Schema {
  const good = { description: summary, content: { [media]: { schema } } }
  const responses = { 200: good, ...more, default: anyRefusal }
  return { get: { operationId, summary, tags: ['service'], responses } }
}

/** The words of a whole query beside the params of its dataset. */
const wholeParameters = [
  ['format', 'How rows are sent; without it `Accept` says so.', { enum: Object.keys(wholeFormats) }],
  ['fields', 'Columns wanted, separated by commas.', { type: 'string' }],
  ['from', 'First day, instead of the dates of the dataset; with `to`.', { type: 'string' }],
  ['to', 'Last day.', { type: 'string' }],
  ['days', 'Days, separated by commas, of a dataset that answers one day a call.', { type: 'string' }],
  ['partial', 'Takes rows that are not proven to be all.', { enum: ['true', 'false'] }],
].map(([name, description, schema]) => ({ name, in: 'query', description, schema }))

const textHeader = (description: string): Schema => ({ description, schema: { type: 'string' } })

// biome-ignore format: a table, one entry a line
const wholeAnswers: Schema = {
  200: {
    description: 'Every row that matches, in the order of the contract.',
    headers: {
      'quotebook-rows': { description: 'How many.', schema: { type: 'integer' } },
      'quotebook-complete': { description: 'Whether they are proven to be all.', schema: { enum: ['true', 'false'] } },
      'quotebook-columns': textHeader('Name, kind and unit of each column: a JSON array, percent-encoded; absent above 4096 bytes.'),
      'quotebook-note': textHeader('Why they are not, or what to know; percent-encoded.'),
      'quotebook-about': textHeader('What to know of the archive; percent-encoded.'),
      'quotebook-archive': textHeader('The archive and its state: a JSON object, percent-encoded.'),
    },
    content: {
      'application/json': { schema: closedObject({ code: { const: codes.ok }, message: { const: 'success' }, data: columnLists }) },
      'text/csv': { schema: { type: 'string' } },
      [wholeFormats.arrow]: { schema: { type: 'string', format: 'binary' } },
    },
  },
  401: refusalResponse('No key, or a wrong one.'),
  404: refusalResponse('There is no such dataset.'),
  409: refusalResponse('The rows are not proven to be all; `partial=true` takes what there is.'),
  422: refusalResponse('Params that the dataset does not take, or SQL that fails or needs more memory than it may take; the message names what would be right.'),
  429: refusalResponse('More requests than the key allows.'),
  default: anyRefusal,
}

const wholeNames = (all: readonly Dataset[]): readonly string[] => [
  ...all.map(({ name }) => name).filter((name) => name !== 'file_download'),
  'sql',
  'status',
]

// biome-ignore format: a table, one entry a line
const wholePath = (all: readonly Dataset[]): Schema => ({
  parameters: [{ name: 'name', in: 'path', required: true, schema: { enum: wholeNames(all) } }, ...wholeParameters],
  get: {
    operationId: 'wholeQuery',
    summary: 'A whole dataset query in one answer',
    description:
      'Params of the dataset as query parameters, past the caps of `/api`. `status` is what the archive has. The key goes as `Authorization: Bearer`.',
    tags: ['data'],
    responses: wholeAnswers,
  },
  post: {
    operationId: 'wholeQueryByBody',
    summary: 'The same with its words in a JSON object',
    description: 'Of `/query/sql`: `sql`, one query in DuckDB’s dialect, and `params`, the values of $1, $2, ….',
    tags: ['data'],
    requestBody: { required: true, content: json({ type: 'object' }) },
    responses: wholeAnswers,
  },
})

const pathsOf = (all: readonly Dataset[]): Schema => ({
  '/api': queryPath(all),
  '/query/{name}': wholePath(all),
  '/healthz': getPath('health', 'Whether the service answers', 'application/json', ref('Health'), {
    503: refusalResponse('It can not read its archive.'),
  }),
  '/metrics': getPath('metrics', 'Metrics as Prometheus reads them', 'text/plain', { type: 'string' }),
  '/openapi.json': getPath('openapi', 'This document', 'application/json', { type: 'object' }),
})

function refusal(code: Schema, description: string): Schema {
  const message = { description: 'What was wrong, where, and what would be right.' }
  return { description, ...envelopeSchema(code, { type: 'null' }, message) }
}

/** What all operations share: the key, the answers without data, the health of the service; and the parts of the news. */
// biome-ignore format: a table, one entry a line
export const envelopeSchemas: Schemas = {
  ApiKey: { type: 'string', minLength: 1, format: 'password', description: 'Key of the caller: the only authentication there is; it goes into the body and nowhere else.', examples: ['<API_KEY>'] },
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
    ...envelopeSchema(
      { const: codes.ok },
      {
        type: 'object',
        required: ['status', 'state'],
        properties: {
          status: { type: 'string', const: 'ok' },
          store: { type: 'string', description: 'What is served.' },
          state: { type: 'string', description: 'Changes when the archive does.' },
          workers: { type: 'object', description: 'Processes that answer, where there are several.' },
          limits: { type: 'object', description: 'Where rates of keys are kept, where that is elsewhere.' },
        },
      },
      { const: 'success' },
    ),
  },
  NewsMeta: {
    type: 'object',
    description:
      'Where the news come from and how old they are; absent where the service was not told. There may be more in it.',
    properties: Object.fromEntries(Object.entries(news.meta).map(([name, column]) => [name, cellSchema(column)])),
  },
  NewsGroup: {
    description: 'The rows of one source, newest first.',
    ...closedObject({
      source: { type: 'string', description: 'Stable code of the source.' },
      source_name: { type: 'string', description: 'Chinese name of the source.' },
      count: { type: 'integer', minimum: 0, description: 'Rows of `items`.' },
      items: { type: 'array', items: { anyOf: [ref('NewsRow'), ref('NewsProjection')] } },
    }),
  },
}

/**
 * The service as an OpenAPI 3.1 document, made from the contract: the same for the same version, byte for byte.
 * What a schema says badly (dates of the calendar, params that exclude each other, a reversed range) stands there in words, and the service checks it.
 */
export function openApi(): Readonly<Record<string, unknown>> {
  const all = allDatasets()
  const operations = all.flatMap((dataset) => [requestSchemas(dataset), replySchemas(dataset)])
  const refs = (kind: 'Request' | 'Reply'): Schema[] => all.map(({ name }) => ref(pascal(name) + kind))
  const mapping = all.map(({ name }) => [name, `#/components/schemas/${pascal(name)}Request`])
  const schemas: Schemas = {
    Request: {
      oneOf: refs('Request'),
      discriminator: { propertyName: 'apiname', mapping: Object.fromEntries(mapping) },
    },
    Reply: {
      description: 'The reply of the operation that was asked, or why there is none.',
      anyOf: [...refs('Reply'), ref('NoData'), ref('Refusal')],
    },
    ...Object.assign({}, ...operations),
    ...envelopeSchemas,
    ...textSchemas,
  }
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Quotebook',
      summary: 'Securities market data',
      description: about,
      version,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The service that this document comes from.' }],
    security: [],
    tags: [
      { name: 'data', description: 'Queries.' },
      { name: 'service', description: 'The state of the service.' },
    ],
    paths: pathsOf(all),
    components: { schemas },
  }
  // Without the members that are undefined.
  return JSON.parse(JSON.stringify(document)) as Readonly<Record<string, unknown>>
}
