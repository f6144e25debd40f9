; The household domain as rolecall plays and writes it.
; Facts that nothing reads (visited places, action costs) are left out, but for one: translators drop
; actions without effect, so looking around is noted.
(define (domain household)
  (:requirements :adl :typing)
  (:types agent location receptacle object rtype otype)

  (:predicates
    ; where things are
    (atLocation ?who - agent ?where - location)
    (receptacleAtLocation ?place - receptacle ?where - location)
    (objectAtLocation ?thing - object ?where - location)
    (inReceptacle ?thing - object ?place - receptacle)
    (inReceptacleObject ?inner - object ?outer - object)
    ; what they are
    (receptacleType ?place - receptacle ?kind - rtype)
    (objectType ?thing - object ?kind - otype)
    (canContain ?places - rtype ?things - otype)
    (openable ?place - receptacle)
    (pickupable ?thing - object)
    (cleanable ?thing - object)
    (heatable ?thing - object)
    (coolable ?thing - object)
    (sliceable ?thing - object)
    (toggleable ?thing - object)
    (isReceptacleObject ?thing - object)
    ; what has become of them
    (opened ?place - receptacle)
    (holds ?who - agent ?thing - object)
    (holdsAny ?who - agent)
    (isClean ?thing - object)
    (isHot ?thing - object)
    (isCool ?thing - object)
    (isSliced ?thing - object)
    (isToggled ?thing - object)
    (noted ?anything - object))

  ; looking around
  (:action look
    :parameters (?a - agent ?l - location)
    :precondition (atLocation ?a ?l)
    :effect (noted ?l))

  (:action inventory
    :parameters (?a - agent)
    :effect (noted ?a))

  (:action help
    :parameters (?a - agent)
    :effect (noted ?a))

  (:action examineReceptacle
    :parameters (?a - agent ?r - receptacle)
    :precondition (exists (?l - location)
      (and (atLocation ?a ?l) (receptacleAtLocation ?r ?l)))
    :effect (noted ?r))

  (:action examineObject
    :parameters (?a - agent ?o - object)
    :precondition (holds ?a ?o)
    :effect (noted ?o))

  ; getting about
  (:action GotoLocation
    :parameters (?a - agent ?lStart - location ?lEnd - location ?r - receptacle)
    :precondition (and (atLocation ?a ?lStart) (receptacleAtLocation ?r ?lEnd))
    :effect (and (not (atLocation ?a ?lStart)) (atLocation ?a ?lEnd)))

  (:action OpenObject
    :parameters (?a - agent ?l - location ?r - receptacle)
    :precondition (and (atLocation ?a ?l) (receptacleAtLocation ?r ?l) (openable ?r) (not (opened ?r)))
    :effect (opened ?r))

  (:action CloseObject
    :parameters (?a - agent ?l - location ?r - receptacle)
    :precondition (and (atLocation ?a ?l) (receptacleAtLocation ?r ?l) (openable ?r) (opened ?r))
    :effect (not (opened ?r)))

  ; moving things
  (:action PickupObject
    :parameters (?a - agent ?l - location ?o - object ?r - receptacle)
    :precondition (and (atLocation ?a ?l) (receptacleAtLocation ?r ?l)
      (or (opened ?r) (not (openable ?r)))
      (inReceptacle ?o ?r) (pickupable ?o) (not (holdsAny ?a)))
    :effect (and (holds ?a ?o) (holdsAny ?a) (not (inReceptacle ?o ?r)) (not (objectAtLocation ?o ?l))))

  (:action PutObject
    :parameters (?a - agent ?l - location ?o - object ?r - receptacle ?ot - otype ?rt - rtype)
    :precondition (and (atLocation ?a ?l) (receptacleAtLocation ?r ?l)
      (or (opened ?r) (not (openable ?r)))
      (holds ?a ?o) (objectType ?o ?ot) (receptacleType ?r ?rt) (canContain ?rt ?ot))
    :effect (and (inReceptacle ?o ?r) (objectAtLocation ?o ?l) (not (holds ?a ?o)) (not (holdsAny ?a))))

  ; changing things
  (:action CleanObject
    :parameters (?a - agent ?l - location ?r - receptacle ?o - object)
    :precondition (and (atLocation ?a ?l) (receptacleAtLocation ?r ?l) (holds ?a ?o) (cleanable ?o)
      (or (receptacleType ?r SinkBasinType) (receptacleType ?r SinkType)))
    :effect (isClean ?o))

  (:action HeatObject
    :parameters (?a - agent ?l - location ?r - receptacle ?o - object)
    :precondition (and (atLocation ?a ?l) (receptacleAtLocation ?r ?l) (holds ?a ?o) (heatable ?o)
      (receptacleType ?r MicrowaveType))
    :effect (and (isHot ?o) (not (isCool ?o))))

  (:action CoolObject
    :parameters (?a - agent ?l - location ?r - receptacle ?o - object)
    :precondition (and (atLocation ?a ?l) (receptacleAtLocation ?r ?l) (holds ?a ?o) (coolable ?o)
      (receptacleType ?r FridgeType))
    :effect (and (isCool ?o) (not (isHot ?o))))

  (:action ToggleObject
    :parameters (?a - agent ?l - location ?o - object ?r - receptacle)
    :precondition (and (atLocation ?a ?l) (receptacleAtLocation ?r ?l) (inReceptacle ?o ?r) (toggleable ?o))
    :effect (isToggled ?o))

  (:action SliceObject
    :parameters (?a - agent ?l - location ?co - object ?ko - object)
    :precondition (and (atLocation ?a ?l) (objectAtLocation ?co ?l) (sliceable ?co) (holds ?a ?ko)
      (or (objectType ?ko KnifeType) (objectType ?ko ButterKnifeType)))
    :effect (isSliced ?co)))
