#include "common/table/json_yaml.h"

#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "common/base/memory.h"

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

struct json_yaml *json_yaml_begin(FILE *out, bool flow)
{
	struct json_yaml *yaml = calloc(1, sizeof(*yaml));
	yaml_version_directive_t version = {1, 1};
	yaml_event_t event;

	if (!yaml || !yaml_emitter_initialize(&yaml->emitter))
		memory_out(sizeof(*yaml));
	yaml->flow = flow;
	yaml_emitter_set_output_file(&yaml->emitter, out);
	yaml_emitter_set_unicode(&yaml->emitter, 1);
	yaml_emitter_set_width(&yaml->emitter, -1);
	emit(yaml,
		yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING),
		&event);
	emit(yaml,
		yaml_document_start_event_initialize(
			&event, &version, NULL, NULL, 0),
		&event);
	return yaml;
}

static void open_map(struct json_yaml *yaml)
{
	yaml_event_t event;

	emit(yaml,
		yaml_mapping_start_event_initialize(&event, NULL,
			TAG(YAML_MAP_TAG), 0,
			yaml->flow ? YAML_FLOW_MAPPING_STYLE
				   : YAML_BLOCK_MAPPING_STYLE),
		&event);
}

static void open_list(struct json_yaml *yaml)
{
	yaml_event_t event;

	emit(yaml,
		yaml_sequence_start_event_initialize(&event, NULL,
			TAG(YAML_SEQ_TAG), 0,
			yaml->flow ? YAML_FLOW_SEQUENCE_STYLE
				   : YAML_BLOCK_SEQUENCE_STYLE),
		&event);
}

void json_yaml_open(struct json_yaml *yaml, enum json_yaml_kind kind)
{
	if (kind == JSON_YAML_MAP)
		open_map(yaml);
	else
		open_list(yaml);
}

void json_yaml_close(struct json_yaml *yaml, enum json_yaml_kind kind)
{
	yaml_event_t event;

	emit(yaml,
		kind == JSON_YAML_MAP
			? yaml_mapping_end_event_initialize(&event)
			: yaml_sequence_end_event_initialize(&event),
		&event);
}

/* `tag` NULL: a plain name. */
static void scalar(
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

void json_yaml_name(struct json_yaml *yaml, const char *name, size_t len)
{
	scalar(yaml, NULL, name, len);
}

static void members(struct json_yaml *yaml, struct json_object *object)
{
	open_map(yaml);
	json_object_object_foreach(object, name, value)
	{
		json_yaml_name(yaml, name, strlen(name));
		json_yaml_object(yaml, value);
	}
	json_yaml_close(yaml, JSON_YAML_MAP);
}

static void elements(struct json_yaml *yaml, struct json_object *array)
{
	open_list(yaml);
	for (size_t i = 0; i < json_object_array_length(array); i++)
		json_yaml_object(yaml, json_object_array_get_idx(array, i));
	json_yaml_close(yaml, JSON_YAML_LIST);
}

static const char *tag_of(struct json_object *object)
{
	switch (json_object_get_type(object)) {
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

void json_yaml_object(struct json_yaml *yaml, struct json_object *object)
{
	const char *text;

	switch (json_object_get_type(object)) {
	case json_type_object:
		members(yaml, object);
		return;
	case json_type_array:
		elements(yaml, object);
		return;
	default:
		text = object ? json_object_get_string(object) : "null";
		scalar(yaml, tag_of(object), text, strlen(text));
	}
}

int json_yaml_end(struct json_yaml *yaml, struct err *err)
{
	yaml_event_t event;
	const char *problem;
	int result = 0;

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
