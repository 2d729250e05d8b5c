from checks import CALL, THINK, arguments, refused, run
from google import genai
from google.genai import errors, types

origin, key, model, embedding, _ = arguments()
client = genai.Client(api_key=key, http_options=types.HttpOptions(base_url=f"{origin}/api/genstyle"))
THOUGHTS = types.GenerateContentConfig(
    thinking_config=types.ThinkingConfig(include_thoughts=True, thinking_budget=2048)
)


def get_weather(city: str) -> str:
    """The weather of a city."""
    return f"sunny in {city}"


def parts_of(chunks):
    return [part for chunk in chunks for part in (chunk.candidates[0].content.parts or [])]


def whole(contents, config=None):
    return parts_of([client.models.generate_content(model=model, contents=contents, config=config)])


def streaming(contents, config=None):
    chunks = list(client.models.generate_content_stream(model=model, contents=contents, config=config))
    return parts_of([chunk for chunk in chunks if chunk.candidates and chunk.candidates[0].content])


def text_of(parts):
    return "".join(part.text or "" for part in parts if not part.thought)


def unary():
    reply = client.models.generate_content(model=model, contents="Hello")
    assert "You said: Hello" in reply.text
    assert reply.usage_metadata.prompt_token_count > 0


def streamed():
    assert "You said: Hello" in text_of(streaming("Hello"))


def tools():
    """The SDK calls the function itself, and sends its result."""
    config = types.GenerateContentConfig(tools=[get_weather])
    reply = client.models.generate_content(model=model, contents=CALL, config=config)
    assert "sunny in Paris" in reply.text


# The SDK sends the empty text at the end of a stream back, and a model of its own protocol refuses that.
SENDS_STREAMS_BACK = model != "sim-genstyle"


def streamed_tools():
    config = types.GenerateContentConfig(tools=[get_weather])
    if SENDS_STREAMS_BACK:
        assert "sunny in Paris" in text_of(streaming(CALL, config))


def thought(turn):
    first = turn(THINK, THOUGHTS)
    assert text_of(first)
    if model != "sim-chatstyle":
        assert any(part.thought for part in first), first
    again = [
        types.UserContent(THINK),
        types.Content(role="model", parts=first),
        types.UserContent("And then?"),
    ]
    assert "And then?" in text_of(turn(again, THOUGHTS))


def thinking():
    thought(whole)


def streamed_thinking():
    thought(streaming)


def thinking_with_tools():
    config = THOUGHTS.model_copy(update={"tools": [get_weather]})
    assert "sunny in Paris" in text_of(whole(f"{CALL} [[reason]]", config))
    if SENDS_STREAMS_BACK:
        assert "sunny in Paris" in text_of(streaming(f"{CALL} [[reason]]", config))


def chat():
    talk = client.chats.create(model=model, config=THOUGHTS)
    assert talk.send_message(THINK).text
    assert "And then?" in talk.send_message("And then?").text


def count_tokens():
    assert client.models.count_tokens(model=model, contents="Hello").total_tokens > 0


def error():
    with refused(errors.ClientError, "no-such-model"):
        client.models.generate_content(model="no-such-model", contents="Hello")
    with refused(errors.ClientError, "429"):
        client.models.generate_content(model=model, contents="Hi [[fault:status=429]]")


def broken_stream():
    with refused(errors.APIError, "500"):
        streaming("Hi [[fault:status=500]]")


def embeddings():
    config = types.EmbedContentConfig(output_dimensionality=16)
    one = client.models.embed_content(model=embedding, contents="one", config=config)
    several = client.models.embed_content(model=embedding, contents=["one", "two"], config=config)
    assert [len(found.values) for found in several.embeddings] == [16, 16]
    assert one.embeddings[0].values == several.embeddings[0].values
    asked = types.EmbedContentConfig(task_type="RETRIEVAL_QUERY")
    for contents in ("one", ["one", "two"]):
        with refused(errors.ClientError, "taskType: is not supported"):
            client.models.embed_content(model=embedding, contents=contents, config=asked)


def models():
    assert any(one.name.endswith(model) for one in client.models.list())


run([
    unary, streamed, tools, streamed_tools, thinking, streamed_thinking, thinking_with_tools, chat, count_tokens,
    error, broken_stream, embeddings, models,
])
