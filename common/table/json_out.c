/*
 * JSON and YAML, piece by piece; see json_out.h.
 */
#include "common/table/json_out.h"

#include <inttypes.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "common/base/memory.h"

/* ---- JSON ----------------------------------------------------------------*/

static void indent(const struct json_out *o)
{
	static const char line[] = "\n                        ";
	size_t most = (sizeof(line) - 2) / 2;

	if (!o->pretty)
		return;
	fwrite_unlocked(line, 1, 1 + 2 * (o->level < most ? o->level : most),
		o->out);
	for (size_t i = most; i < o->level; i++)
		fwrite_unlocked("  ", 1, 2, o->out);
}

/* What stands before a name or value. */
static void begin_item(struct json_out *o)
{
	if (!o->named) {
		if (o->any)
			putc_unlocked(',', o->out);
		if (o->level)
			indent(o);
	}
	o->named = false;
	o->any = true;
}

/* The letter after the backslash; 0 when the character needs no escape. */
static char escape_of(const struct json_out *o, unsigned char c)
{
	static const char from[] = "\b\n\r\t\f\"\\/", to[] = "bnrtf\"\\/";
	const char *at = c ? strchr(from, c) : NULL;

	if (!at || (c == '/' && o->plain_slashes))
		return 0;
	return to[at - from];
}

/* How many bytes at the beginning stand for themselves. */
static size_t plain_bytes(const char *text, size_t n)
{
	size_t i = 0;

	while (i < n && (unsigned char)text[i] >= ' ' && text[i] != '"' &&
		text[i] != '\\' && text[i] != '/')
		i++;
	return i;
}

static void write_string(const struct json_out *o, const char *text, size_t n)
{
	putc_unlocked('"', o->out);
	for (size_t i = 0; i < n; i++) {
		size_t plain = plain_bytes(text + i, n - i);
		unsigned char c;
		char escape;

		fwrite_unlocked(text + i, 1, plain, o->out);
		i += plain;
		if (i == n)
			break;
		c = (unsigned char)text[i];
		escape = escape_of(o, c);
		if (escape)
			fprintf(o->out, "\\%c", escape);
		else if (c < ' ')
			fprintf(o->out, "\\u%04x", c);
		else
			putc_unlocked(c, o->out);
	}
	putc_unlocked('"', o->out);
}

static void json_scalar(
	struct json_out *o, struct json_object *value, enum json_type type)
{
	begin_item(o);
	switch (type) {
	case json_type_boolean:
		fputs_unlocked(json_object_get_boolean(value) ? "true" : "false",
			o->out);
		return;
	case json_type_int:
		fprintf(o->out, "%" PRId64, json_object_get_int64(value));
		return;
	case json_type_double:
		fputs_unlocked(json_object_get_userdata(value), o->out);
		return;
	case json_type_string:
		write_string(o, json_object_get_string(value),
			(size_t)json_object_get_string_len(value));
		return;
	default:
		fputs_unlocked("null", o->out);
	}
}

/* ---- YAML ----------------------------------------------------------------*/

struct json_yaml {
	yaml_emitter_t emitter;
	bool flow;
	bool failed;
};

#define TAG(tag) ((const yaml_char_t *)(tag))

/* The result of making an event, then the event itself. */
static void emit(struct json_yaml *yaml, int made, yaml_event_t *event)
{
	if (!made || !yaml_emitter_emit(&yaml->emitter, event))
		yaml->failed = true;
}

void json_out_yaml(struct json_out *o, bool flow)
{
	struct json_yaml *yaml = memory_zeroed(1, sizeof(*yaml));
	yaml_version_directive_t version = {1, 1};
	yaml_event_t event;

	if (!yaml_emitter_initialize(&yaml->emitter))
		memory_out(sizeof(*yaml));
	o->yaml = yaml;
	yaml->flow = flow;
	yaml_emitter_set_output_file(&yaml->emitter, o->out);
	yaml_emitter_set_unicode(&yaml->emitter, 1);
	yaml_emitter_set_width(&yaml->emitter, -1);
	emit(yaml,
		yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING),
		&event);
	emit(yaml,
		yaml_document_start_event_initialize(
			&event, &version, NULL, NULL, 0),
		&event);
}

static void yaml_open(struct json_yaml *yaml, enum json_kind kind)
{
	yaml_event_t event;

	emit(yaml,
		kind == JSON_MAP
			? yaml_mapping_start_event_initialize(&event, NULL,
				  TAG(YAML_MAP_TAG), 0,
				  yaml->flow ? YAML_FLOW_MAPPING_STYLE
					     : YAML_BLOCK_MAPPING_STYLE)
			: yaml_sequence_start_event_initialize(&event, NULL,
				  TAG(YAML_SEQ_TAG), 0,
				  yaml->flow ? YAML_FLOW_SEQUENCE_STYLE
					     : YAML_BLOCK_SEQUENCE_STYLE),
		&event);
}

static void yaml_close(struct json_yaml *yaml, enum json_kind kind)
{
	yaml_event_t event;

	emit(yaml,
		kind == JSON_MAP ? yaml_mapping_end_event_initialize(&event)
				 : yaml_sequence_end_event_initialize(&event),
		&event);
}

/* `tag` NULL: a plain name. */
static void yaml_text(
	struct json_yaml *yaml, const char *tag, const char *text, size_t len)
{
	yaml_event_t event;
	yaml_scalar_style_t style =
		len ? YAML_ANY_SCALAR_STYLE : YAML_DOUBLE_QUOTED_SCALAR_STYLE;

	emit(yaml,
		yaml_scalar_event_initialize(&event, NULL, TAG(tag),
			(const yaml_char_t *)text, (int)len, !tag, !tag, style),
		&event);
}

static const char *tag_of(enum json_type type)
{
	switch (type) {
	case json_type_boolean:
		return YAML_BOOL_TAG;
	case json_type_double:
		return YAML_FLOAT_TAG;
	case json_type_int:
		return YAML_INT_TAG;
	case json_type_null:
		return YAML_NULL_TAG;
	default:
		return YAML_STR_TAG;
	}
}

static void yaml_scalar(
	struct json_yaml *yaml, struct json_object *value, enum json_type type)
{
	const char *text = value ? json_object_get_string(value) : "null";

	yaml_text(yaml, tag_of(type), text, strlen(text));
}

/* ---- both ----------------------------------------------------------------*/

void json_out_open(struct json_out *o, enum json_kind kind)
{
	if (o->yaml) {
		yaml_open(o->yaml, kind);
		return;
	}
	begin_item(o);
	putc_unlocked(kind == JSON_MAP ? '{' : '[', o->out);
	o->level++;
	o->any = false;
}

void json_out_close(struct json_out *o, enum json_kind kind)
{
	if (o->yaml) {
		yaml_close(o->yaml, kind);
		return;
	}
	o->level--;
	indent(o);
	o->any = true;
	putc_unlocked(kind == JSON_MAP ? '}' : ']', o->out);
}

void json_out_name(struct json_out *o, const char *name, size_t len)
{
	if (o->yaml) {
		yaml_text(o->yaml, NULL, name, len);
		return;
	}
	begin_item(o);
	write_string(o, name, len);
	fputs_unlocked(o->pretty ? ": " : ":", o->out);
	o->named = true;
}

static void write_map(struct json_out *o, struct json_object *map)
{
	json_out_open(o, JSON_MAP);
	json_object_object_foreach(map, name, value)
	{
		json_out_name(o, name, strlen(name));
		json_out_value(o, value);
	}
	json_out_close(o, JSON_MAP);
}

static void write_list(struct json_out *o, struct json_object *list)
{
	size_t n = json_object_array_length(list);

	json_out_open(o, JSON_LIST);
	for (size_t i = 0; i < n; i++)
		json_out_value(o, json_object_array_get_idx(list, i));
	json_out_close(o, JSON_LIST);
}

void json_out_value(struct json_out *o, struct json_object *value)
{
	enum json_type type = json_object_get_type(value);

	if (type == json_type_object)
		write_map(o, value);
	else if (type == json_type_array)
		write_list(o, value);
	else if (o->yaml)
		yaml_scalar(o->yaml, value, type);
	else
		json_scalar(o, value, type);
}

int json_out_end(struct json_out *o, struct err *err)
{
	struct json_yaml *yaml = o->yaml;
	yaml_event_t event;
	const char *problem;
	int result = 0;

	if (!yaml) {
		fputc('\n', o->out);
		return 0;
	}
	emit(yaml, yaml_document_end_event_initialize(&event, 0), &event);
	emit(yaml, yaml_stream_end_event_initialize(&event), &event);
	problem = yaml->emitter.problem;
	if (yaml->failed)
		result = err_set(err, ERR_SYSTEM, "YAML output: %s",
			problem ? problem : "a name or a text is not UTF-8");
	yaml_emitter_delete(&yaml->emitter);
	free(yaml);
	return result;
}
