// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_STORIES_TABLE_HPP
#define ANEW_TESTS_SUPPORT_STORIES_TABLE_HPP

#include "story.hpp"

/// What happens in a call, whichever driver makes it. Somebody who did not write the books has read them against
/// docs/concepts.md: drivers that share a mistake agree with each other, so that only this table can tell.
namespace support::stories {

// clang-format off: it would put each word of a row on a line of its own
inline constexpr story all[]{
    {"a success at once", in::plain, {}, "ok", "try 1; = value 1"},
    {"a success after failures", in::plain, {}, "again net ok",
     "try 1; sleep 100; try 2 after throttling; sleep 200; try 3 after transient; = value 3"},
    {"the last error comes back", in::plain, {}, "again",
     "try 1; sleep 100; try 2 after throttling; sleep 200; try 3 after throttling; = error 3"},
    {"the last exception comes back", in::plain, {}, "again!",
     "try 1; sleep 100; try 2 after throttling; sleep 200; try 3 after throttling; = thrown 3"},
    {"errors and exceptions in one call", in::plain, {.attempts = 4}, "again! net again! ok",
     "try 1; sleep 100; try 2 after throttling; sleep 200; try 3 after transient; sleep 400; try 4 after throttling; "
     "= value 4"},
    {"a final error", in::plain, {}, "no", "try 1; = error 1"},
    {"a final exception after a retry", in::plain, {}, "net no!",
     "try 1; sleep 100; try 2 after transient; = thrown 2"},
    {"an exception that nobody classifies", in::plain, {}, "again?", "try 1; = unknown 1"},
    {"one attempt", in::plain, {.attempts = 1}, "net", "try 1; = error 1"},
    {"an error that counts as a success", in::plain, {}, "good", "try 1; = error 1"},
    {"an exception is never a success", in::plain, {}, "good!", "try 1; = thrown 1"},
    {"an error that counts as a success later", in::plain, {}, "net! good",
     "try 1; sleep 100; try 2 after transient; = error 2"},
    {"a stop before the call leaves one attempt", in::plain, {.stopped = true}, "net ok", "try 1 stopped; = error 1"},
    {"a stop before the call and a success", in::plain, {.stopped = true}, "ok", "try 1 stopped; = value 1"},
    {"a stop in an attempt", in::plain, {}, "net# ok", "try 1; = error 1"},
    {"a stop in an attempt that throws", in::plain, {}, "net again!# ok",
     "try 1; sleep 100; try 2 after transient; = thrown 2"},
    {"a stop in an attempt whose error counts as a success", in::plain, {}, "good#", "try 1; = error 1"},
    {"told of a stop and an error that is a success", in::told, {}, "good#",
     "try 1; paid 0; told 1 good; end succeeded 1; = error 1"},
    {"a stop in an attempt that succeeds", in::plain, {}, "net ok#",
     "try 1; sleep 100; try 2 after transient; = value 2"},
    {"a stop in the sleep returns the last result", in::plain, {}, "net ok%", "try 1; sleep 100; = error 1"},
    {"a stop in the sleep rethrows the last exception", in::plain, {}, "net! ok%", "try 1; sleep 100; = thrown 1"},
    {"a stop in the second sleep", in::plain, {.attempts = 5}, "net! net ok%",
     "try 1; sleep 100; try 2 after transient; sleep 200; = error 2"},
    {"a value, then an exception, then a stop", in::plain, {.attempts = 5}, "net again! ok%",
     "try 1; sleep 100; try 2 after transient; sleep 200; = thrown 2"},
    {"a token that said it never stops", in::plain, {.deaf = true}, "net again% ok",
     "try 1; sleep 100; try 2 after transient stopped; = error 2"},
    {"a classifier that throws", in::plain, {.breaks = "read 1"}, "net ok", "try 1; = broke"},
    {"a classifier that throws at an exception", in::plain, {.breaks = "read 2"}, "net net! ok",
     "try 1; sleep 100; try 2 after transient; = broke"},
    {"a sleeper that throws", in::plain, {.breaks = "sleep 100"}, "net! ok", "try 1; sleep 100; = broke"},
    {"a plain value that is a success", in::plain, {.is = how::valued}, "ok", "try 1; = value 1"},
    {"plain values that are failures", in::plain, {.is = how::valued}, "again net ok",
     "try 1; sleep 100; try 2 after throttling; sleep 200; try 3 after transient; = value 3"},
    {"the last plain value comes back", in::plain, {.is = how::valued}, "net",
     "try 1; sleep 100; try 2 after transient; sleep 200; try 3 after transient; = error 3"},
    {"a plain value that is final", in::plain, {.is = how::valued}, "net no",
     "try 1; sleep 100; try 2 after transient; = error 2"},
    {"a plain value, then an exception", in::plain, {.is = how::valued}, "net again! ok",
     "try 1; sleep 100; try 2 after transient; sleep 200; try 3 after throttling; = value 3"},
    {"a stop in the sleep keeps a plain value", in::plain, {.is = how::valued}, "net ok%",
     "try 1; sleep 100; = error 1"},
    {"a plain value of a stopped attempt", in::plain, {.is = how::valued}, "net# ok", "try 1; = error 1"},
    {"a classifier that throws at a plain value", in::plain, {.is = how::valued, .breaks = "read 2"}, "net net ok",
     "try 1; sleep 100; try 2 after transient; = broke"},
    {"a token that cannot stop", in::plain, {.deaf = true}, "net! again ok",
     "try 1; sleep 100; try 2 after transient; sleep 200; try 3 after throttling; = value 3"},
    {"told of a success", in::told, {}, "ok", "try 1; paid 0; told 1 good; end succeeded 1; = value 1"},
    {"told of retries", in::told, {}, "again net! ok",
     "try 1; take 1; told 1; next 2 throttling in 100; sleep; try 2; spent 1; take 2; told 2; "
     "next 3 transient in 200; sleep; try 3; paid 2; told 3 good; end succeeded 3; = value 3"},
    {"told of the last failure", in::told, {.attempts = 2}, "again net",
     "try 1; take 1; told 1; next 2 throttling in 100; sleep; try 2; spent 1; told 2 final; end attempts 2; = error 2"},
    {"told of a final error", in::told, {}, "no", "try 1; told 1 bad; end not_retryable 1; = error 1"},
    {"told of a final exception", in::told, {}, "net no!",
     "try 1; take 1; told 1; next 2 transient in 100; sleep; try 2; spent 1; told 2 bad; end not_retryable 2; "
     "= thrown 2"},
    {"told of what nobody classifies", in::told, {}, "net again?",
     "try 1; take 1; told 1; next 2 transient in 100; sleep; try 2; spent 1; told 2 bad; end unclassified 2; "
     "= unknown 2"},
    {"told of what nobody classifies first", in::told, {}, "again?",
     "try 1; told 1 bad; end unclassified 1; = unknown 1"},
    {"unclassified where the attempts are spent", in::told, {.attempts = 1}, "again?",
     "try 1; told 1 bad; end unclassified 1; = unknown 1"},
    {"told of an error that is a success", in::told, {}, "net good",
     "try 1; take 1; told 1; next 2 transient in 100; sleep; try 2; paid 1; told 2 good; end succeeded 2; = error 2"},
    {"told of an exception that is none", in::told, {}, "net good!",
     "try 1; take 1; told 1; next 2 transient in 100; sleep; try 2; spent 1; told 2 bad; end not_retryable 2; "
     "= thrown 2"},
    {"a hint is a floor", in::told, {}, "again^300 net^50 ok",
     "try 1; take 1; told 1; next 2 throttling^300 in 300 by 1; sleep; try 2; spent 1; take 2; told 2; "
     "next 3 transient^50 in 200; sleep; try 3; paid 2; told 3 good; end succeeded 3; = value 3"},
    {"a hint of an exception", in::told, {}, "again!^300 ok",
     "try 1; take 1; told 1; next 2 throttling^300 in 300 by 1; sleep; try 2; paid 1; told 2 good; end succeeded 2; "
     "= value 2"},
    {"a hint above a minute ends the call", in::told, {}, "again^61000 ok",
     "try 1; take 1; unused 1; told 1 final; end hint_too_long 1; = error 1"},
    {"a hint above a minute later", in::told, {}, "net again!^61000 ok",
     "try 1; take 1; told 1; next 2 transient in 100; sleep; try 2; spent 1; take 2; unused 2; told 2 final; "
     "end hint_too_long 2; = thrown 2"},
    {"a hint of nothing", in::told, {}, "again^0 ok",
     "try 1; take 1; told 1; next 2 throttling^0 in 100; sleep; try 2; paid 1; told 2 good; end succeeded 2; "
     "= value 2"},
    {"the quota refuses the first retry", in::told, {.quota = "-1"}, "net ok",
     "try 1; quota refuses transient; told 1 final; end quota 1; = error 1"},
    {"the quota refuses the second retry", in::told, {.attempts = 5, .quota = "0 -1"}, "net again! ok",
     "try 1; take 1; told 1; next 2 transient in 100; sleep; try 2; spent 1; quota refuses throttling; told 2 final; "
     "end quota 2; = thrown 2"},
    {"many retries", in::told, {.attempts = 7}, "net again net! again! late net again",
     "try 1; take 1; told 1; next 2 transient in 100; sleep; try 2; spent 1; take 2; told 2; "
     "next 3 throttling in 200; sleep; try 3; spent 2; take 3; told 3; next 4 transient in 400; sleep; try 4; "
     "spent 3; take 4; told 4; next 5 throttling in 800; sleep; try 5; spent 4; take 5; told 5; "
     "next 6 timeout in 1000; sleep; try 6; spent 5; take 6; told 6; next 7 transient in 1000; sleep; try 7; "
     "spent 6; told 7 final; end attempts 7; = error 7"},
    {"maybe for what is not declared", in::told, {.is = how::undeclared}, "net late ok",
     "try 1; take 1; told 1; next 2 transient in 100; sleep; try 2; spent 1; told 2 final; end not_idempotent 2; "
     "= error 2"},
    {"maybe thrown by what is not declared", in::told, {.is = how::undeclared}, "late! ok",
     "try 1; told 1 final; end not_idempotent 1; = thrown 1"},
    {"yes for what is not declared", in::told, {.is = how::undeclared}, "net again! ok",
     "try 1; take 1; told 1; next 2 transient in 100; sleep; try 2; spent 1; take 2; told 2; "
     "next 3 throttling in 200; sleep; try 3; paid 2; told 3 good; end succeeded 3; = value 3"},
    {"no for what is not declared", in::told, {.is = how::undeclared}, "no",
     "try 1; told 1 bad; end not_retryable 1; = error 1"},
    {"maybe for what is repeatable", in::told, {}, "late late! ok",
     "try 1; take 1; told 1; next 2 timeout in 100; sleep; try 2; spent 1; take 2; told 2; next 3 timeout in 200; "
     "sleep; try 3; paid 2; told 3 good; end succeeded 3; = value 3"},
    {"maybe is the reason, not the attempts", in::told, {.attempts = 1, .is = how::undeclared}, "late",
     "try 1; told 1 final; end not_idempotent 1; = error 1"},
    {"a one shot fails", in::told, {.is = how::once}, "net ok", "try 1; told 1 final; end not_replayable 1; = error 1"},
    {"a one shot may have taken effect", in::told, {.is = how::once}, "late ok",
     "try 1; told 1 final; end not_replayable 1; = error 1"},
    {"a one shot throws", in::told, {.is = how::once}, "again! ok",
     "try 1; told 1 final; end not_replayable 1; = thrown 1"},
    {"a one shot fails for good", in::told, {.is = how::once}, "no",
     "try 1; told 1 bad; end not_retryable 1; = error 1"},
    {"a one shot succeeds", in::told, {.is = how::once}, "ok",
     "try 1; paid 0; told 1 good; end succeeded 1; = value 1"},
    {"a one shot throws what nobody knows", in::told, {.is = how::once}, "net?",
     "try 1; told 1 bad; end unclassified 1; = unknown 1"},
    {"put back before each retry", in::told, {.is = how::rewound}, "net again! ok",
     "try 1; take 1; put back; told 1; next 2 transient in 100; sleep; try 2; spent 1; take 2; put back; told 2; "
     "next 3 throttling in 200; sleep; try 3; paid 2; told 3 good; end succeeded 3; = value 3"},
    {"not put back after the last", in::told, {.attempts = 2, .is = how::rewound}, "net net",
     "try 1; take 1; put back; told 1; next 2 transient in 100; sleep; try 2; spent 1; told 2 final; end attempts 2; "
     "= error 2"},
    {"what cannot be put back is not retried", in::told, {.is = how::rewound}, "net again- ok",
     "try 1; take 1; put back; told 1; next 2 transient in 100; sleep; try 2; spent 1; take 2; stuck; told 2 final; "
     "end not_replayable 2; unused 2; = error 2"},
    {"what cannot be put back at once", in::told, {.is = how::rewound}, "late!- ok",
     "try 1; take 1; stuck; told 1 final; end not_replayable 1; unused 1; = thrown 1"},
    {"what putting back throws", in::told, {.is = how::rewound, .breaks = "put back"}, "net ok",
     "try 1; take 1; put back; unused 1; = broke"},
    {"told of a stop before the call", in::told, {.stopped = true}, "net ok",
     "try 1 stopped; end cancelled 1; = error 1"},
    {"told of a stop in an attempt", in::told, {}, "net again# ok",
     "try 1; take 1; told 1; next 2 transient in 100; sleep; try 2; end cancelled 2; unused 1; = error 2"},
    {"told of a stop in an exception", in::told, {}, "again!# ok", "try 1; end cancelled 1; = thrown 1"},
    {"told of a stop in the sleep", in::told, {}, "net net ok%",
     "try 1; take 1; told 1; next 2 transient in 100; sleep; try 2; spent 1; take 2; told 2; "
     "next 3 transient in 200; sleep; end cancelled 2; unused 2; = error 2"},
    {"told of a stop in the sleep after an exception", in::told, {}, "net! ok%",
     "try 1; take 1; told 1; next 2 transient in 100; sleep; end cancelled 1; unused 1; = thrown 1"},
    {"a stop between a failure and the sleep", in::told, {.stops = "next 3 transient in 200"}, "net net ok",
     "try 1; take 1; told 1; next 2 transient in 100; sleep; try 2; spent 1; take 2; told 2; "
     "next 3 transient in 200; sleep; end cancelled 2; unused 2; = error 2"},
    {"told by a token that never stops", in::told, {.deaf = true}, "net! again% ok",
     "try 1; take 1; told 1; next 2 transient in 100; sleep; try 2 stopped; end cancelled 2; unused 1; = error 2"},
    {"the observer throws at an attempt", in::told, {.breaks = "told 1"}, "net ok",
     "try 1; take 1; told 1; unused 1; = broke"},
    {"the observer throws at a later attempt", in::told, {.breaks = "told 2"}, "net net! ok",
     "try 1; take 1; told 1; next 2 transient in 100; sleep; try 2; spent 1; take 2; told 2; unused 2; = broke"},
    {"the observer throws at the last", in::told, {.breaks = "told 3 final"}, "net net net",
     "try 1; take 1; told 1; next 2 transient in 100; sleep; try 2; spent 1; take 2; told 2; "
     "next 3 transient in 200; sleep; try 3; spent 2; told 3 final; = broke"},
    {"the observer throws at a retry", in::told, {.breaks = "next 2 transient in 100"}, "net ok",
     "try 1; take 1; told 1; next 2 transient in 100; unused 1; = broke"},
    {"the observer throws at a retry of an exception", in::told, {.breaks = "next 3 transient in 200"}, "net net! ok",
     "try 1; take 1; told 1; next 2 transient in 100; sleep; try 2; spent 1; take 2; told 2; "
     "next 3 transient in 200; unused 2; = broke"},
    {"the observer throws at the end", in::told, {.breaks = "end attempts 3"}, "net net net",
     "try 1; take 1; told 1; next 2 transient in 100; sleep; try 2; spent 1; take 2; told 2; "
     "next 3 transient in 200; sleep; try 3; spent 2; told 3 final; end attempts 3; = broke"},
    {"the observer throws at a success", in::told, {.breaks = "told 2 good"}, "net ok",
     "try 1; take 1; told 1; next 2 transient in 100; sleep; try 2; paid 1; told 2 good; = broke"},
    {"the observer throws at the end of a success", in::told, {.breaks = "end succeeded 2"}, "net ok",
     "try 1; take 1; told 1; next 2 transient in 100; sleep; try 2; paid 1; told 2 good; end succeeded 2; = broke"},
    {"the classifier throws with a permit", in::told, {.breaks = "read 2"}, "net net ok",
     "try 1; take 1; told 1; next 2 transient in 100; sleep; try 2; unused 1; = broke"},
    {"the sleeper throws with a permit", in::told, {.breaks = "sleep"}, "net! ok",
     "try 1; take 1; told 1; next 2 transient in 100; sleep; unused 1; = broke"},
    {"test mode waits for nothing", in::told, {.attempts = 5, .test_mode = 3}, "net net! ok",
     "try 1; take 1; told 1; next 2 transient in 100; sleep 0; try 2; spent 1; take 2; told 2; "
     "next 3 transient in 200; sleep 0; try 3; paid 2; told 3 good; end succeeded 3; = value 3"},
    {"test mode ends with its attempt", in::told, {.attempts = 5, .test_mode = 2}, "net again ok",
     "try 1; take 1; told 1; next 2 transient in 100; sleep 0; try 2; spent 1; told 2 final; end attempts 2; "
     "= error 2"},
    {"test mode keeps a final failure", in::told, {.attempts = 5, .test_mode = 1}, "no",
     "try 1; told 1 bad; end not_retryable 1; = error 1"},
    {"test mode and a maybe", in::told, {.attempts = 5, .is = how::undeclared, .test_mode = 1}, "late",
     "try 1; told 1 final; end not_idempotent 1; = error 1"},
    {"test mode and an unknown exception", in::told, {.attempts = 5, .test_mode = 1}, "net?",
     "try 1; told 1 bad; end unclassified 1; = unknown 1"},
    {"told what remains", in::timed, {.deadline = 1000}, "net+50 again!+30 ok",
     "try 1 left 1000; take 1; told 1; next 2 transient in 100; sleep; try 2 left 850; spent 1; take 2; told 2; "
     "next 3 throttling in 200; sleep; try 3 left 620; paid 2; told 3 good; end succeeded 3; = value 3"},
    {"the limit of an attempt", in::timed, {.deadline = 1000, .limit = 400}, "net+50 net+300 ok",
     "try 1 left 1000 limit 400; take 1; told 1; next 2 transient in 100; sleep; try 2 left 850 limit 400; spent 1; "
     "take 2; told 2; next 3 transient in 200; sleep; try 3 left 350; paid 2; told 3 good; end succeeded 3; = value 3"},
    {"no limit without one", in::timed, {}, "net ok",
     "try 1; take 1; told 1; next 2 transient in 100; sleep; try 2; paid 1; told 2 good; end succeeded 2; = value 2"},
    {"the delay would pass the deadline", in::timed, {.deadline = 150}, "net+60 ok",
     "try 1 left 150; take 1; unused 1; told 1 final; end deadline 1; = error 1"},
    {"the delay would pass the deadline later", in::timed, {.attempts = 5, .deadline = 350}, "net+60 net! ok",
     "try 1 left 350; take 1; told 1; next 2 transient in 100; sleep; try 2 left 190; spent 1; take 2; unused 2; "
     "told 2 final; end deadline 2; = thrown 2"},
    {"a hint would pass the deadline", in::timed, {.deadline = 500}, "again^600 ok",
     "try 1 left 500; take 1; unused 1; told 1 final; end deadline 1; = error 1"},
    {"the first attempt may take all", in::timed, {.deadline = 100}, "ok+500",
     "try 1 left 100; paid 0; told 1 good; end succeeded 1; = value 1"},
    {"a failure after the deadline", in::timed, {.deadline = 100}, "net+500",
     "try 1 left 100; take 1; unused 1; told 1 final; end deadline 1; = error 1"},
    {"the deadline ends the last attempt", in::timed, {.attempts = 1, .deadline = 100}, "late+100",
     "try 1 left 100; told 1 final; end deadline 1; = error 1"},
    {"a late sleeper behind the deadline", in::timed, {.deadline = 500}, "net net~600 ok",
     "try 1 left 500; take 1; told 1; next 2 transient in 100; sleep; try 2 left 0; spent 1; take 2; unused 2; "
     "told 2 final; end deadline 2; = error 2"},
    {"a clock that goes back", in::timed, {.attempts = 4, .deadline = 500}, "net+-300 net ok",
     "try 1 left 500; take 1; told 1; next 2 transient in 100; sleep; try 2 left 700; spent 1; take 2; told 2; "
     "next 3 transient in 200; sleep; try 3 left 500; paid 2; told 3 good; end succeeded 3; = value 3"},
    {"a clock that is negative", in::timed, {.deadline = 400, .start = -100000}, "net+100 net ok",
     "try 1 left 400; take 1; told 1; next 2 transient in 100; sleep; try 2 left 200; spent 1; take 2; unused 2; "
     "told 2 final; end deadline 2; = error 2"},
    {"a stop and a deadline", in::timed, {.deadline = 150}, "net+100# ok",
     "try 1 left 150; end cancelled 1; = error 1"},
    {"each attempt has a pass", in::gated, {}, "net again! ok",
     "gate 0 @0; pace 0 @0; try 1; failed transient @0 1; not sent transient @0; take 1; told 1; "
     "next 2 transient in 100; sleep; gate 0 @100; pace 0 @100; try 2; spent 1; failed throttling @100 2; "
     "not sent throttling @100; take 2; told 2; next 3 throttling in 200; sleep; gate 0 @300; pace 0 @300; try 3; "
     "paid 2; passed @300 3; sent @300; told 3 good; end succeeded 3; = value 3"},
    {"a refused first attempt", in::gated, {.gate = "-1"}, "ok",
     "gate -1 @0; end gate_closed 0; = refused gate_closed"},
    {"a refusal after the sleep returns the last failure", in::gated, {.gate = "0 -1"}, "net ok",
     "gate 0 @0; pace 0 @0; try 1; failed transient @0 1; not sent transient @0; take 1; told 1; "
     "next 2 transient in 100; sleep; gate -1 @100; end gate_closed 1; unused 1; = error 1"},
    {"a refusal after the sleep rethrows", in::gated, {.attempts = 5, .gate = "0 0 -1"}, "net net! ok",
     "gate 0 @0; pace 0 @0; try 1; failed transient @0 1; not sent transient @0; take 1; told 1; "
     "next 2 transient in 100; sleep; gate 0 @100; pace 0 @100; try 2; spent 1; failed transient @100 2; "
     "not sent transient @100; take 2; told 2; next 3 transient in 200; sleep; gate -1 @300; end gate_closed 2; "
     "unused 2; = thrown 2"},
    {"a refusal that is foreseen", in::gated, {.foreseen = "1"}, "net ok",
     "gate 0 @0; pace 0 @0; try 1; failed transient @0 1; not sent transient @0; take 1; foreseen @100; unused 1; "
     "told 1 final; end gate_closed 1; = error 1"},
    {"a refusal that is foreseen later", in::gated, {.attempts = 5, .foreseen = "0 1"}, "net again! ok",
     "gate 0 @0; pace 0 @0; try 1; failed transient @0 1; not sent transient @0; take 1; told 1; "
     "next 2 transient in 100; sleep; gate 0 @100; pace 0 @100; try 2; spent 1; failed throttling @100 2; "
     "not sent throttling @100; take 2; foreseen @300; unused 2; told 2 final; end gate_closed 2; = thrown 2"},
    {"the first attempt waits", in::gated, {.gate = "70 30"}, "ok",
     "gate 70 @0; sleep 70; gate 30 @70; sleep 30; gate 0 @100; pace 0 @100; try 1; paid 0; passed @100 1; "
     "sent @100; told 1 good; end succeeded 1; = value 1"},
    {"a retry waits", in::gated, {.gate = "0 70 30"}, "net net ok",
     "gate 0 @0; pace 0 @0; try 1; failed transient @0 1; not sent transient @0; take 1; told 1; "
     "next 2 transient in 100; sleep; gate 70 @100; sleep 70; gate 30 @170; sleep 30; gate 0 @200; pace 0 @200; "
     "try 2; spent 1; failed transient @200 2; not sent transient @200; take 2; told 2; next 3 transient in 200; "
     "sleep; gate 0 @400; pace 0 @400; try 3; paid 2; passed @400 3; sent @400; told 3 good; end succeeded 3; "
     "= value 3"},
    {"a wait, then a refusal", in::gated, {.gate = "70 -1"}, "ok",
     "gate 70 @0; sleep 70; gate -1 @70; end gate_closed 0; = refused gate_closed"},
    {"a retry's wait, then a refusal", in::gated, {.gate = "0 70 -1"}, "net! ok",
     "gate 0 @0; pace 0 @0; try 1; failed transient @0 1; not sent transient @0; take 1; told 1; "
     "next 2 transient in 100; sleep; gate 70 @100; sleep 70; gate -1 @170; end gate_closed 1; unused 1; = thrown 1"},
    {"a sleeper that comes too early", in::gated, {.gate = "70 30"}, "ok~-60",
     "gate 70 @0; sleep 70; gate 30 @70; sleep 30; gate 0 @100; pace 0 @100; try 1; paid 0; passed @-20 1; "
     "sent @-20; told 1 good; end succeeded 1; = value 1"},
    {"a wait beyond the deadline of the first", in::gated, {.deadline = 50, .gate = "70"}, "ok",
     "gate 70 @0; end deadline 0; = refused deadline"},
    {"a wait beyond the deadline", in::gated, {.deadline = 160, .gate = "0 70"}, "net! ok",
     "gate 0 @0; pace 0 @0; try 1 left 160; failed transient @0 1; not sent transient @0; take 1; told 1; "
     "next 2 transient in 100; sleep; gate 70 @100; end deadline 1; unused 1; = thrown 1"},
    {"a wait up to the deadline", in::gated, {.deadline = 170, .gate = "0 70"}, "net! ok",
     "gate 0 @0; pace 0 @0; try 1 left 170; failed transient @0 1; not sent transient @0; take 1; told 1; "
     "next 2 transient in 100; sleep; gate 70 @100; end deadline 1; unused 1; = thrown 1"},
    {"a stop in the wait for the first attempt", in::gated, {.gate = "70"}, "ok%",
     "gate 70 @0; sleep 70; end cancelled 0; = refused cancelled"},
    {"a stop in the wait of a retry", in::gated, {.gate = "0 70"}, "net ok%",
     "gate 0 @0; pace 0 @0; try 1; failed transient @0 1; not sent transient @0; take 1; told 1; "
     "next 2 transient in 100; sleep; end cancelled 1; unused 1; = error 1"},
    {"a stop before a call that waits", in::gated, {.gate = "70", .stopped = true}, "ok",
     "gate 70 @0; sleep 70; end cancelled 0; = refused cancelled"},
    {"a stop in the attempt leaves the gate", in::gated, {}, "net# ok",
     "gate 0 @0; pace 0 @0; try 1; end cancelled 1; left 1; = error 1"},
    {"what nobody classifies is the caller's fault", in::gated, {}, "net?",
     "gate 0 @0; pace 0 @0; try 1; failed client @0 1; not sent client @0; told 1 bad; end unclassified 1; "
     "= unknown 1"},
    {"a final failure is the caller's fault", in::gated, {}, "net no",
     "gate 0 @0; pace 0 @0; try 1; failed transient @0 1; not sent transient @0; take 1; told 1; "
     "next 2 transient in 100; sleep; gate 0 @100; pace 0 @100; try 2; spent 1; failed client @100 2; "
     "not sent client @100; told 2 bad; end not_retryable 2; = error 2"},
    {"the attempts are spent at the gate", in::gated, {.attempts = 2}, "net late",
     "gate 0 @0; pace 0 @0; try 1; failed transient @0 1; not sent transient @0; take 1; told 1; "
     "next 2 transient in 100; sleep; gate 0 @100; pace 0 @100; try 2; spent 1; failed timeout @100 2; "
     "not sent timeout @100; told 2 final; end attempts 2; = error 2"},
    {"the quota refuses at the gate", in::gated, {.quota = "-1"}, "net",
     "gate 0 @0; pace 0 @0; try 1; failed transient @0 1; not sent transient @0; quota refuses transient; "
     "told 1 final; end quota 1; = error 1"},
    {"the deadline refuses with a permit", in::gated, {.deadline = 150}, "net+100",
     "gate 0 @0; pace 0 @0; try 1 left 150; failed transient @100 1; not sent transient @100; take 1; unused 1; "
     "told 1 final; end deadline 1; = error 1"},
    {"a hint refuses with a permit", in::gated, {}, "again^61000",
     "gate 0 @0; pace 0 @0; try 1; failed throttling @0 1; not sent throttling @0; take 1; unused 1; told 1 final; "
     "end hint_too_long 1; = error 1"},
    {"the pacer makes the first attempt wait", in::gated, {.pacer = "40 20"}, "ok",
     "gate 0 @0; pace 40 @0; sleep 40; pace 20 @40; sleep 20; pace 0 @60; try 1; paid 0; passed @60 1; sent @60; "
     "told 1 good; end succeeded 1; = value 1"},
    {"the pacer makes a retry wait", in::gated, {.pacer = "0 40 20"}, "net ok",
     "gate 0 @0; pace 0 @0; try 1; failed transient @0 1; not sent transient @0; take 1; told 1; "
     "next 2 transient in 100; sleep; gate 0 @100; pace 40 @100; sleep 40; pace 20 @140; sleep 20; pace 0 @160; "
     "try 2; paid 1; passed @160 2; sent @160; told 2 good; end succeeded 2; = value 2"},
    {"the pacer refuses the first attempt", in::gated, {.pacer = "-1"}, "ok",
     "gate 0 @0; pace -1 @0; end rate_limited 0; left 1; = refused rate_limited"},
    {"the pacer refuses a retry", in::gated, {.pacer = "0 -1"}, "again! ok",
     "gate 0 @0; pace 0 @0; try 1; failed throttling @0 1; not sent throttling @0; take 1; told 1; "
     "next 2 throttling in 100; sleep; gate 0 @100; pace -1 @100; end rate_limited 1; left 2; unused 1; = thrown 1"},
    {"the pacer's wait is stopped", in::gated, {.pacer = "0 40"}, "net ok%",
     "gate 0 @0; pace 0 @0; try 1; failed transient @0 1; not sent transient @0; take 1; told 1; "
     "next 2 transient in 100; sleep; end cancelled 1; unused 1; = error 1"},
    {"the pacer's first wait is stopped", in::gated, {.pacer = "40"}, "ok%",
     "gate 0 @0; pace 40 @0; sleep 40; end cancelled 0; ticket 1; left 1; = refused cancelled"},
    {"the pacer's wait beyond the deadline", in::gated, {.deadline = 120, .pacer = "0 40"}, "net ok",
     "gate 0 @0; pace 0 @0; try 1 left 120; failed transient @0 1; not sent transient @0; take 1; told 1; "
     "next 2 transient in 100; sleep; gate 0 @100; pace 40 @100; end deadline 1; ticket 1; left 2; unused 1; "
     "= error 1"},
    {"a gate and a pacer wait", in::gated, {.gate = "10 0", .pacer = "40 20"}, "ok",
     "gate 10 @0; sleep 10; gate 0 @10; pace 40 @10; sleep 40; pace 20 @50; sleep 20; pace 0 @70; try 1; paid 0; "
     "passed @70 1; sent @70; told 1 good; end succeeded 1; = value 1"},
    {"a pacer waits behind a gate", in::gated, {.gate = "0 25 0", .pacer = "0 40 0"}, "net! ok",
     "gate 0 @0; pace 0 @0; try 1; failed transient @0 1; not sent transient @0; take 1; told 1; "
     "next 2 transient in 100; sleep; gate 25 @100; sleep 25; gate 0 @125; pace 40 @125; sleep 40; pace 0 @165; "
     "try 2; paid 1; passed @165 2; sent @165; told 2 good; end succeeded 2; = value 2"},
    {"the observer throws with a pass", in::gated, {.breaks = "told 1"}, "net ok",
     "gate 0 @0; pace 0 @0; try 1; failed transient @0 1; not sent transient @0; take 1; told 1; unused 1; = broke"},
    {"the observer throws at the end at the gate", in::gated, {.breaks = "end succeeded 1"}, "ok",
     "gate 0 @0; pace 0 @0; try 1; paid 0; passed @0 1; sent @0; told 1 good; end succeeded 1; = broke"},
    {"the classifier throws with a pass", in::gated, {.breaks = "read 1"}, "net! ok",
     "gate 0 @0; pace 0 @0; try 1; left 1; = broke"},
    {"the sleeper throws before the first attempt", in::gated, {.gate = "70", .breaks = "sleep 70"}, "ok",
     "gate 70 @0; sleep 70; = broke"},
    {"the sleeper throws with a ticket", in::gated, {.pacer = "0 40", .breaks = "sleep 40"}, "net ok",
     "gate 0 @0; pace 0 @0; try 1; failed transient @0 1; not sent transient @0; take 1; told 1; "
     "next 2 transient in 100; sleep; gate 0 @100; pace 40 @100; sleep 40; ticket 1; left 2; unused 1; = broke"},
    {"test mode at the gate", in::gated, {.gate = "70 0", .test_mode = 2}, "net ok",
     "gate 70 @0; sleep 0; gate 0 @70; pace 0 @70; try 1; failed transient @0 1; not sent transient @0; take 1; "
     "told 1; next 2 transient in 100; sleep 0; gate 0 @0; pace 0 @0; try 2; paid 1; passed @0 2; sent @0; "
     "told 2 good; end succeeded 2; = value 2"},
    {"a delay with memory", in::rest, {}, "net net! net",
     "call @0; try 1; take 1; told 1; next 2 transient in 250; sleep; settle 0 @250; try 2; spent 101; take 2; "
     "told 2; next 3 transient in 719; sleep; settle 0 @970; try 3; spent 102; take 3; told 3; "
     "next 4 transient in 205; sleep; settle 0 @1176; try 4; spent 103; over 1; told 4 final; end attempts 4; "
     "= error 4"},
    {"a kind has its own limit", in::rest, {}, "net again again ok",
     "call @0; try 1; take 1; told 1; next 2 transient in 250; sleep; settle 0 @250; try 2; spent 101; take 2; "
     "told 2; next 3 throttling in 719; sleep; settle 0 @970; try 3; spent 102; over 1; told 3 final; "
     "end attempts 3; = error 3"},
    {"a kind's limit at once", in::rest, {}, "again again ok",
     "call @0; try 1; take 1; told 1; next 2 throttling in 250; sleep; settle 0 @250; try 2; spent 101; over 1; "
     "told 2 final; end attempts 2; = error 2"},
    {"a long attempt starts over", in::rest, {}, "net net net+6000 net net! ok",
     "call @0; try 1; take 1; told 1; next 2 transient in 250; sleep; settle 0 @250; try 2; spent 101; take 2; "
     "told 2; next 3 transient in 719; sleep; settle 0 @970; try 3; paid 102; take 3; told 3; "
     "next 4 transient in 123; sleep; settle 0 @7093; try 4; spent 103; take 4; told 4; next 5 transient in 341; "
     "sleep; settle 0 @7435; try 5; spent 104; take 5; told 5; next 6 transient in 227; sleep; settle 0 @7662; "
     "try 6; paid 105; over 1; told 6 good; end succeeded 6; = value 6"},
    {"a long attempt starts the kinds over", in::rest, {}, "again net+7000 again ok",
     "call @0; try 1; take 1; told 1; next 2 throttling in 250; sleep; settle 0 @250; try 2; paid 101; take 2; "
     "told 2; next 3 transient in 289; sleep; settle 0 @7540; try 3; spent 102; take 3; told 3; "
     "next 4 throttling in 190; sleep; settle 0 @7731; try 4; paid 103; over 1; told 4 good; end succeeded 4; "
     "= value 4"},
    {"the last wait of a refusal", in::rest, {.quota = "-1"}, "net ok",
     "call @0; try 1; quota refuses transient; over 1; told 1 final; sleep 250; end quota 1; = error 1"},
    {"the last wait of a later refusal", in::rest, {.quota = "0 -1"}, "net net! ok",
     "call @0; try 1; take 1; told 1; next 2 transient in 250; sleep; settle 0 @250; try 2; spent 101; "
     "quota refuses transient; over 1; told 2 final; sleep 719; end quota 2; = thrown 2"},
    {"the last wait with a hint", in::rest, {.quota = "-1"}, "net^2000 ok",
     "call @0; try 1; quota refuses transient; over 1; told 1 final; sleep 2000; end quota 1; = error 1"},
    {"the last wait with too long a hint", in::rest, {.quota = "-1"}, "net^70000 ok",
     "call @0; try 1; quota refuses transient; over 1; told 1 final; end quota 1; = error 1"},
    {"the last wait and the deadline", in::rest, {.deadline = 50, .quota = "-1"}, "net ok",
     "call @0; try 1 left 50; quota refuses transient; over 1; told 1 final; end quota 1; = error 1"},
    {"the last wait is stopped", in::rest, {.quota = "-1"}, "net ok%",
     "call @0; try 1; quota refuses transient; over 1; told 1 final; sleep 250; end cancelled 1; = error 1"},
    {"no last wait after the attempts", in::rest, {}, "again again",
     "call @0; try 1; take 1; told 1; next 2 throttling in 250; sleep; settle 0 @250; try 2; spent 101; over 1; "
     "told 2 final; end attempts 2; = error 2"},
    {"a permit is waited for", in::rest, {.quota = "700 20"}, "net net ok",
     "call @0; try 1; take 1; told 1; next 2 transient in 700 by 3; sleep; settle 0 @700; try 2; spent 101; take 2; "
     "told 2; next 3 transient in 719; sleep; settle 0 @1419; try 3; paid 102; over 1; told 3 good; end succeeded 3; "
     "= value 3"},
    {"a permit is too far away", in::rest, {.quota = "1001"}, "net ok",
     "call @0; try 1; take 1; unused 1; over 1; told 1 final; sleep 719; end quota 1; = error 1"},
    {"a permit as far as may be", in::rest, {.quota = "1000"}, "net ok",
     "call @0; try 1; take 1; told 1; next 2 transient in 1000 by 3; sleep; settle 0 @1000; try 2; paid 101; over 1; "
     "told 2 good; end succeeded 2; = value 2"},
    {"a permit beyond the deadline", in::rest, {.deadline = 600, .quota = "700"}, "net ok",
     "call @0; try 1 left 600; take 1; unused 1; over 1; told 1 final; end deadline 1; = error 1"},
    {"the last wait in test mode", in::rest, {.quota = "-1", .test_mode = 3}, "net ok",
     "call @0; try 1; quota refuses transient; over 1; told 1 final; sleep 0; end quota 1; = error 1"},
    {"not nested", in::nested, {}, "net ok",
     "enter; try 1; leave; take 1; told 1; next 2 transient in 100; sleep; enter; try 2; leave; paid 1; told 2 good; "
     "end succeeded 2; = value 2"},
    {"nested and refused", in::nested, {.quota = "-1"}, "net ok",
     "enter; try 1; leave; nested -1; told 1 final; end nested 1; = error 1"},
    {"nested and permitted", in::nested, {.quota = "1 1"}, "net net! ok",
     "enter; try 1; leave; nested 1; told 1; next 2 transient in 100; sleep; enter; try 2; leave; nested spent 1; "
     "nested 1; told 2; next 3 transient in 200; sleep; enter; try 3; leave; nested paid 2; told 3 good; "
     "end succeeded 3; = value 3"},
    {"nested and spent", in::nested, {.quota = "1 -1"}, "net! net ok",
     "enter; try 1; leave; nested 1; told 1; next 2 transient in 100; sleep; enter; try 2; leave; nested spent 1; "
     "nested -1; told 2 final; end nested 2; = error 2"},
    {"nested and stopped", in::nested, {.quota = "1 1"}, "net ok%",
     "enter; try 1; leave; nested 1; told 1; next 2 transient in 100; sleep; end cancelled 1; nested unused 1; "
     "= error 1"},
    {"a call that is counted is stopped", in::rest, {}, "net# ok",
     "call @0; try 1; end cancelled 1; over 1; = error 1"},
    {"a call that is counted breaks", in::rest, {.breaks = "read 1"}, "net ok", "call @0; try 1; over 1; = broke"},
    {"a call that is counted gets too long a hint", in::rest, {}, "net^70000 ok",
     "call @0; try 1; take 1; unused 1; over 1; told 1 final; end hint_too_long 1; = error 1"},
    {"a second call of one strategy", in::told, {.calls = 2}, "net ok again ok",
     "try 1; take 1; told 1; next 2 transient in 100; sleep; try 2; paid 1; told 2 good; end succeeded 2; = value 2; "
     "try 1; take 2; told 1; next 2 throttling in 100; sleep; try 2; paid 2; told 2 good; end succeeded 2; = value 4"},
    {"a second call after a failed one", in::told, {.attempts = 2, .calls = 2}, "net net ok",
     "try 1; take 1; told 1; next 2 transient in 100; sleep; try 2; spent 1; told 2 final; end attempts 2; "
     "= error 2; try 1; paid 0; told 1 good; end succeeded 1; = value 3"},
    {"each call has a deadline of its own", in::timed, {.deadline = 300, .calls = 2}, "net+250 net ok",
     "try 1 left 300; take 1; unused 1; told 1 final; end deadline 1; = error 1; try 1 left 300; take 2; told 1; "
     "next 2 transient in 100; sleep; try 2 left 200; paid 2; told 2 good; end succeeded 2; = value 3"},
    {"each call has a pass of its own", in::gated, {.calls = 2}, "ok ok",
     "gate 0 @0; pace 0 @0; try 1; paid 0; passed @0 1; sent @0; told 1 good; end succeeded 1; = value 1; gate 0 @0; "
     "pace 0 @0; try 1; paid 0; passed @0 2; sent @0; told 1 good; end succeeded 1; = value 2"},
    {"each call counts its kinds from one", in::rest, {.calls = 2}, "again again again ok",
     "call @0; try 1; take 1; told 1; next 2 throttling in 250; sleep; settle 0 @250; try 2; spent 101; over 1; "
     "told 2 final; end attempts 2; = error 2; call @250; try 1; take 2; told 1; next 2 throttling in 289; sleep; "
     "settle 0 @540; try 2; paid 102; over 1; told 2 good; end succeeded 2; = value 4"},
    {"a strategy that is not composed", in::own, {}, "net again! ok",
     "begin; try 1; asked transient; sleep 10; try 2 after transient; asked throttling; sleep 20; "
     "try 3 after throttling; won 3; = value 3"},
    {"not composed, and refused", in::own, {.attempts = 2}, "net net! ok",
     "begin; try 1; asked transient; sleep 10; try 2 after transient; asked transient; = thrown 2"},
    {"not composed, and final", in::own, {}, "no ok", "begin; try 1; asked client; = error 1"},
    {"a delay before the first attempt", in::own, {.first = 30}, "net ok",
     "begin; sleep 30; try 1; asked transient; sleep 10; try 2 after transient; won 2; = value 2"},
    {"a stop in the delay before the first attempt", in::own, {.first = 30}, "net% ok",
     "begin; sleep 30; try 1 stopped; = error 1"},
    {"not composed, and stopped in the sleep", in::own, {}, "net! ok%",
     "begin; try 1; asked transient; sleep 10; = thrown 1"},
    {"not composed, and in test mode", in::own, {.first = 30, .test_mode = 2}, "net net ok",
     "begin; sleep 0; try 1; asked transient; sleep 0; try 2 after transient; asked transient; = error 2"},
    {"not composed, and broken", in::own, {.breaks = "asked transient"}, "net ok",
     "begin; try 1; asked transient; = broke"},
    {"not composed, and broken by an exception", in::own, {.breaks = "asked transient"}, "net! ok",
     "begin; try 1; asked transient; = broke"},
    {"not composed, and broken later", in::own, {.breaks = "asked throttling"}, "net again! ok",
     "begin; try 1; asked transient; sleep 10; try 2 after transient; asked throttling; = broke"},
    {"not composed, and broken at once", in::own, {.breaks = "begin"}, "ok", "begin; = broke"},
    {"not composed, and broken in the first delay", in::own, {.first = 30, .breaks = "sleep 30"}, "ok",
     "begin; sleep 30; = broke"},
    {"not composed, and broken at a success", in::own, {.breaks = "won 2"}, "net ok",
     "begin; try 1; asked transient; sleep 10; try 2 after transient; won 2; = broke"},
    {"not composed, and called twice", in::own, {.attempts = 1, .first = 30, .calls = 2}, "net ok",
     "begin; sleep 30; try 1; asked transient; = error 1; begin; sleep 30; try 1; won 1; = value 2"},
    {"a permit is settled after a wait", in::rest, {.settle = "30 20 0"}, "net ok",
     "call @0; try 1; take 1; told 1; next 2 transient in 250; sleep; settle 30 @250; sleep 30; settle 20 @280; "
     "sleep 20; settle 0 @300; try 2; paid 101; over 1; told 2 good; end succeeded 2; = value 2"},
    {"a permit is refused after the delay", in::rest, {.settle = "-1"}, "net! ok",
     "call @0; try 1; take 1; told 1; next 2 transient in 250; sleep; settle -1 @250; end quota 1; over 1; unused 1; "
     "= thrown 1"},
    {"a permit is refused after a wait", in::rest, {.settle = "0 30 -1"}, "net net ok",
     "call @0; try 1; take 1; told 1; next 2 transient in 250; sleep; settle 0 @250; try 2; spent 101; take 2; "
     "told 2; next 3 transient in 719; sleep; settle 30 @970; sleep 30; settle -1 @1000; end quota 2; over 1; "
     "unused 2; = error 2"},
    {"a permit cannot be settled before the deadline", in::rest, {.deadline = 270, .settle = "30"}, "net ok",
     "call @0; try 1 left 270; take 1; told 1; next 2 transient in 250; sleep; settle 30 @250; end deadline 1; "
     "over 1; unused 1; = error 1"},
    {"a stop while a permit is settled", in::rest, {.settle = "30"}, "net ok%",
     "call @0; try 1; take 1; told 1; next 2 transient in 250; sleep; end cancelled 1; over 1; unused 1; = error 1"},
};
// clang-format on

}  // namespace support::stories

#endif
