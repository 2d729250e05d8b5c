import io
import json
import time
import wave

import openai
from checks import CALL, THINK, TWO_CALLS, WEATHER, arguments, refused, run

origin, key, model, embedding, video = arguments()
client = openai.OpenAI(api_key=key, base_url=f"{origin}/api/chatstyle/v1", max_retries=0)
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
TOOLS = [{"type": "function", "function": {"name": "get_weather", "parameters": WEATHER}}]


def user(text):
    return {"role": "user", "content": text}


def collected(chunks):
    """The message of a stream, put together as its readers do it."""
    text, thought, calls = "", "", {}
    for chunk in chunks:
        for choice in chunk.choices:
            text += choice.delta.content or ""
            thought += getattr(choice.delta, "reasoning_content", None) or ""
            for call in choice.delta.tool_calls or []:
                known = calls.setdefault(call.index, {"id": call.id, "name": call.function.name, "arguments": ""})
                known["arguments"] += call.function.arguments or ""
    return text, thought, list(calls.values())


def unary():
    reply = client.chat.completions.create(model=model, messages=[user("Hello")])
    assert "You said: Hello" in reply.choices[0].message.content
    assert reply.choices[0].finish_reason == "stop"
    assert reply.usage.prompt_tokens > 0 and reply.usage.completion_tokens > 0


def streamed():
    chunks = list(
        client.chat.completions.create(
            model=model, messages=[user("Hello")], stream=True, stream_options={"include_usage": True}
        )
    )
    assert "You said: Hello" in collected(chunks)[0]
    assert chunks[-1].usage.completion_tokens > 0


def tools():
    messages = [user(TWO_CALLS)]
    first = client.chat.completions.create(model=model, messages=messages, tools=TOOLS)
    message = first.choices[0].message
    assert [json.loads(call.function.arguments)["city"] for call in message.tool_calls] == ["Paris", "Oslo"]
    messages.append(message)
    for call in message.tool_calls:
        messages.append({"role": "tool", "tool_call_id": call.id, "content": f"sunny: {call.function.arguments}"})
    second = client.chat.completions.create(model=model, messages=messages, tools=TOOLS)
    assert "Oslo" in second.choices[0].message.content


def streamed_tools():
    chunks = client.chat.completions.create(model=model, messages=[user(CALL)], tools=TOOLS, stream=True)
    [call] = collected(chunks)[2]
    assert call["name"] == "get_weather" and json.loads(call["arguments"]) == {"city": "Paris"}


def thinking():
    reply = client.chat.completions.create(
        model=model, messages=[user(THINK)], reasoning_effort="low", max_completion_tokens=8000
    )
    assert reply.choices[0].message.content
    chunks = client.chat.completions.create(
        model=model, messages=[user(THINK)], reasoning_effort="low", max_completion_tokens=8000, stream=True
    )
    assert collected(chunks)[0]


def parsed():
    schema = {
        "type": "object",
        "properties": {"name": {"type": "string"}},
        "required": ["name"],
        "additionalProperties": False,
    }
    form = {"type": "json_schema", "json_schema": {"name": "who", "schema": schema, "strict": True}}
    reply = client.chat.completions.create(model=model, messages=[user("Who?")], response_format=form)
    assert "name" in json.loads(reply.choices[0].message.content)


def responses():
    reply = client.responses.create(model=model, input="Hello")
    assert "You said: Hello" in reply.output_text
    with client.responses.stream(model=model, input="Hello") as stream:
        for _ in stream:
            pass
        assert "You said: Hello" in stream.get_final_response().output_text


def responses_tools():
    tools = [{"type": "function", "name": "get_weather", "parameters": WEATHER, "strict": False}]
    first = client.responses.create(model=model, input=CALL, tools=tools)
    [call] = [item for item in first.output if item.type == "function_call"]
    turns = [{"role": "user", "content": CALL}, *first.output]
    turns.append({"type": "function_call_output", "call_id": call.call_id, "output": "sunny"})
    second = client.responses.create(model=model, input=turns, tools=tools)
    assert "sunny" in second.output_text


def error():
    with refused(openai.BadRequestError, "no-such-model"):
        client.chat.completions.create(model="no-such-model", messages=[user("Hello")])
    with refused(openai.BadRequestError, "messages"):
        client.chat.completions.create(model=model, messages=[])
    with refused(openai.RateLimitError, "429"):
        client.chat.completions.create(model=model, messages=[user("Hi [[fault:status=429]]")])


def broken_stream():
    with refused(openai.APIError, "500"):
        collected(client.chat.completions.create(model=model, messages=[user("Hi [[fault:status=500]]")], stream=True))


def embeddings():
    plain = client.embeddings.create(model=embedding, input=["one", "two"], encoding_format="float")
    packed = client.embeddings.create(model=embedding, input=["one", "two"])
    assert [item.index for item in packed.data] == [0, 1]
    for one, other in zip(plain.data, packed.data, strict=True):
        assert all(abs(a - b) < 1e-6 for a, b in zip(one.embedding, other.embedding, strict=True))
    for tokens, vectors in (([1, 2, 3], 1), ([[1, 2], [3]], 2)):
        if embedding == "embed-generate":
            with refused(openai.BadRequestError, "token ids are not accepted"):
                client.embeddings.create(model=embedding, input=tokens)
        else:
            assert len(client.embeddings.create(model=embedding, input=tokens).data) == vectors


def models():
    assert model in [one.id for one in client.models.list()]


def videos():
    done = client.videos.create_and_poll(model=video, prompt="A boat.", poll_interval_ms=10)
    assert done.status == "completed", done
    content = client.videos.download_content(done.id).read()
    assert content[4:8] == b"ftyp"


def recording():
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(8000)
        sound.writeframes(bytes(2 * 8000 * 3))
    return ("speech.wav", file.getvalue())


def transcripts():
    ask = client.audio.transcriptions.create
    assert ask(model="transcription", file=recording()).text
    timed = ask(
        model="transcription", file=recording(), response_format="verbose_json", timestamp_granularities=["word"]
    )
    assert timed.words[0].start == 0 and timed.duration == 3
    assert "-->" in ask(model="transcription", file=recording(), response_format="srt")
    spoken = ask(model="transcription-speakers", file=recording(), response_format="diarized_json")
    assert spoken.segments[0].speaker
    events = list(ask(model="transcription-tokens", file=recording(), stream=True))
    assert events[-1].text == "".join(event.delta for event in events[:-1]) != ""
    assert client.audio.translations.create(model="transcription", file=recording()).text
    with refused(openai.BadRequestError, "file: "):
        ask(model="transcription", file=("a.wav", b"no sound"))


def speech():
    ask = {"model": "speech-chat", "voice": "alloy", "input": "Good morning."}
    assert len(client.audio.speech.create(**ask).read()) > 500
    with client.audio.speech.with_streaming_response.create(**ask, response_format="wav") as response:
        assert next(response.iter_bytes(4)) == b"RIFF"
    with refused(openai.BadRequestError, "voice"):
        client.audio.speech.create(**(ask | {"model": "seed-tts-2.0"}))


def moderation():
    ask = {"model": "moderation"}
    [one, other] = client.moderations.create(input=["Good morning.", "I will kill you."], **ask).results
    assert (one.flagged, other.flagged) == (False, True)
    picture = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}}
    [both] = client.moderations.create(input=[{"type": "text", "text": "I will kill you."}, picture], **ask).results
    assert both.flagged and "image" in both.category_applied_input_types.violence


def spoken_as_events():
    ask = {"model": "speech-chat", "voice": "alloy", "input": "Good morning.", "stream_format": "sse"}
    with client.audio.speech.with_streaming_response.create(**ask) as response:
        events = [json.loads(line[6:]) for line in response.iter_lines() if line.startswith("data: {")]
    assert events[-1]["type"] == "speech.audio.done" and events[-1]["usage"]["output_tokens"] > 0
    assert all(event["type"] == "speech.audio.delta" for event in events[:-1]) and len(events) > 1


def until(read, done):
    """Reads until it is done, for half a minute."""
    for _ in range(600):
        found = read()
        if done(found):
            return found
        time.sleep(0.05)
    raise AssertionError("it does not end")


def batches():
    def line(name, text):
        body = {"model": model, "max_tokens": 50, "messages": [user(text)]}
        return json.dumps({"custom_id": name, "method": "POST", "url": "/v1/chat/completions", "body": body})

    lines = "\n".join([line("one", "Hello"), line("two", "Hi [[fault:status=400]]")])
    file = client.files.create(file=("lines.jsonl", lines.encode()), purpose="batch")
    assert client.files.retrieve(file.id).filename == "lines.jsonl"
    endpoint = "/v1/chat/completions"
    begun = client.batches.create(input_file_id=file.id, endpoint=endpoint, completion_window="24h")
    ended = until(lambda: client.batches.retrieve(begun.id), lambda batch: batch.status == "completed")
    assert (ended.request_counts.completed, ended.request_counts.failed) == (1, 1), ended
    done = json.loads(client.files.content(ended.output_file_id).text)
    assert "You said: Hello" in done["response"]["body"]["choices"][0]["message"]["content"]
    assert json.loads(client.files.content(ended.error_file_id).text)["custom_id"] == "two"
    assert begun.id in [batch.id for batch in client.batches.list()]
    assert client.batches.cancel(begun.id).status == "completed"
    assert client.files.delete(file.id).deleted


run([
    unary, streamed, tools, streamed_tools, thinking, parsed, responses, responses_tools, error, broken_stream,
    embeddings, models, videos, transcripts, speech, spoken_as_events, moderation,
    batches,
])
