import time

import anthropic
from checks import CALL, THINK, WEATHER, arguments, refused, run

origin, key, model, _, _ = arguments()
client = anthropic.Anthropic(api_key=key, base_url=f"{origin}/api/msgstyle", max_retries=0)
TOOLS = [{"name": "get_weather", "description": "The weather", "input_schema": WEATHER}]


def user(content):
    return {"role": "user", "content": content}


def text_of(message):
    return "".join(block.text for block in message.content if block.type == "text")


def whole(**asked):
    return client.messages.create(model=model, **{"max_tokens": 4000, **asked})


def streaming(**asked):
    with client.messages.stream(model=model, **{"max_tokens": 4000, **asked}) as stream:
        return stream.get_final_message()


def unary():
    reply = whole(messages=[user("Hello")], system="Be brief.")
    assert "You said: Hello" in text_of(reply)
    assert reply.stop_reason == "end_turn" and reply.usage.output_tokens > 0


def streamed():
    reply = streaming(messages=[user("Hello")])
    assert "You said: Hello" in text_of(reply)
    assert reply.usage.input_tokens > 0 and reply.usage.output_tokens > 0


def round_trip(turn, **asked):
    messages = [user(asked.pop("text"))]
    first = turn(messages=messages, tools=TOOLS, **asked)
    assert first.stop_reason == "tool_use"
    [call] = [block for block in first.content if block.type == "tool_use"]
    assert call.input == {"city": "Paris"}
    result = {"type": "tool_result", "tool_use_id": call.id, "content": "sunny"}
    messages += [{"role": "assistant", "content": first.content}, user([result])]
    assert "sunny" in text_of(turn(messages=messages, tools=TOOLS, **asked))


def tools():
    round_trip(whole, text=CALL)


def streamed_tools():
    round_trip(streaming, text=CALL)


ENABLED = {"thinking": {"type": "enabled", "budget_tokens": 2000}, "max_tokens": 8000}


def thought(turn):
    first = turn(messages=[user(THINK)], **ENABLED)
    assert text_of(first)
    kinds = [block.type for block in first.content]
    if model != "sim-chatstyle":
        assert kinds == ["thinking", "text"], kinds
    again = [user(THINK), {"role": "assistant", "content": first.content}, user("And then?")]
    assert "And then?" in text_of(turn(messages=again, **ENABLED))


def thinking():
    thought(whole)


def streamed_thinking():
    thought(streaming)


def thinking_with_tools():
    round_trip(streaming, text=f"{CALL} [[reason]]", **ENABLED)


def count_tokens():
    assert client.messages.count_tokens(model=model, messages=[user("Hello")]).input_tokens > 0


def error():
    with refused(anthropic.BadRequestError, "no-such-model"):
        client.messages.create(model="no-such-model", max_tokens=99, messages=[user("Hello")])
    with refused(anthropic.BadRequestError, "messages"):
        whole(messages=[])
    with refused(anthropic.RateLimitError, "429"):
        whole(messages=[user("Hi [[fault:status=429]]")])


def broken_stream():
    with refused(anthropic.APIError, "500"):
        streaming(messages=[user("Hi [[fault:status=500]]")])


def models():
    assert model in [one.id for one in client.models.list()]


def batches():
    def line(name, text):
        return {"custom_id": name, "params": {"model": model, "max_tokens": 50, "messages": [user(text)]}}

    batch = client.messages.batches.create(requests=[line("one", "Hello"), line("two", "Hi [[fault:status=400]]")])
    for _ in range(600):
        batch = client.messages.batches.retrieve(batch.id)
        if batch.processing_status == "ended":
            break
        time.sleep(0.05)
    assert (batch.request_counts.succeeded, batch.request_counts.errored) == (1, 1), batch
    results = {one.custom_id: one.result for one in client.messages.batches.results(batch.id)}
    assert "You said: Hello" in text_of(results["one"].message)
    assert results["two"].type == "errored"
    assert batch.id in [one.id for one in client.messages.batches.list()]
    assert client.messages.batches.delete(batch.id).id == batch.id


run([
    unary, streamed, tools, streamed_tools, thinking, streamed_thinking, thinking_with_tools, count_tokens, error,
    broken_stream, models, batches,
])
